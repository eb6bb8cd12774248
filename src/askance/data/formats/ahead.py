"""Work on one piece while the next one is made: for makers that leave the interpreter free, as polars does."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


def one_ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items; each is fetched in a thread while its forerunner is worked on. Errors come in their turn."""
    coming = _Fetched(items)
    try:
        while coming.there():
            item, coming = coming.item, _Fetched(items)
            yield item
    finally:
        coming.join()


class _Fetched(Thread, Generic[T]):
    """The next of some items, once the thread has ended."""

    def __init__(self, items: Iterator[T]) -> None:
        super().__init__(daemon=True)
        self._items = items
        self._found: list[T] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._found.append(next(self._items))
        except StopIteration:
            pass
        except BaseException as error:  # whoever waits for the item gets it
            self._error = error

    def there(self) -> bool:
        """Whether there was another one; raises what went wrong on the way to it."""
        self.join()
        if self._error is not None:
            raise self._error
        return bool(self._found)

    @property
    def item(self) -> T:
        return self._found[0]
