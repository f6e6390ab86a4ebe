# The functions are made from the library's list of metrics, so their names are known only at run time.
from typing import Callable, List, Tuple, Union

import numpy as np
from numpy.typing import NDArray

__all__: List[str]

def __getattr__(name: str) -> Callable[..., Union[float, Tuple[float, NDArray[np.float64]]]]: ...
