"""One function a command, joining the floors; the Python API re-exports them."""
