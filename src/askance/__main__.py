"""python -m askance"""

from askance.cli import main

main()
