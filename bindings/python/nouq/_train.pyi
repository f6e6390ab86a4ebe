# Written by './run docs' from the description of the settings; not to be changed by hand.
from typing import Callable, List, Optional, Sequence, Tuple, Union

from numpy.typing import ArrayLike

from . import _nouq

Data = Union[_nouq.DataSet, Tuple[ArrayLike, ArrayLike]]

def methods() -> List[str]: ...
def train(
    data: Data,
    validation: Optional[Data] = None,
    *,
    progress: Union[bool, Callable[..., None]] = True,
    validation_fraction: float = 0.2,
    method: str = "diverse",
    count: int = 10,
    diversity: str = "weights",
    diversity_through: str = "heads",
    strength: float = 1.0,
    bound: float = 10.0,
    warmup: int = 10,
    sampled: int = 0,
    unlabelled: Union[str, ArrayLike] = "",
    laplace: str = "diagonal",
    count_points: bool = False,
    add_noise: bool = False,
    dropout: float = 0.1,
    architecture: str = "auto",
    width: int = 32,
    blocks: int = 4,
    modes: Union[int, Sequence[int]] = (),
    padding: Union[int, Sequence[int]] = (),
    padding_fraction: float = 0.0,
    features: int = 128,
    expansion: int = 2,
    normalise: str = "auto",
    loss: str = "auto",
    project_in_training: bool = False,
    epochs: int = 160,
    batch: int = 0,
    rate: float = 0.003,
    schedule: str = "one_cycle",
    period: int = 0,
    weight_decay: float = 0.0001,
    patience: int = 0,
    seed: int = 0,
    threads: int = 0,
    rollout: int = 0,
    from_: str = "",
    folder: str = "",
    checkpoint_period: int = 1,
    any_processor: bool = False,
    trust_level: Optional[float] = None,
    trust_far: float = 2.0,
    coverage: Optional[float] = None,
    pointwise: bool = False,
    cross_folds: int = 3,
) -> _nouq.Model: ...
