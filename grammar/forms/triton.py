from typing import Any
def recognise(text: str) -> bool:
    return False
