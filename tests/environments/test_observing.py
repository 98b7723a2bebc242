import pytest

from phytotron.core.errors import PhytotronError
from phytotron.environments.observing import Catalogue, observables

CATALOGUE = Catalogue(
    observables(
        ("state.mass", "m", "kg", "mass", 0, 1, lambda situation: situation),
        ("state.height", "h", "m", "height", 0, 1, lambda situation: situation),
    ),
    {"short": ("state.mass",)},
)


class OwnObserver:
    """An observer of a user, which is at fault where it describes what it observes."""

    @property
    def quantities(self):
        raise TypeError("a fault in it")

    def observe(self, situation):
        return situation


def test_an_empty_list_is_refused_with_the_groups_of_the_catalogue():
    with pytest.raises(PhytotronError, match=r"or a group: raw, short, state$"):
        CATALOGUE.choose([], {"raw": OwnObserver()})


def test_neither_a_name_nor_a_list_is_refused():
    with pytest.raises(PhytotronError, match="observation is 3; expected a name"):
        CATALOGUE.choose(["short", 3])


def test_a_type_error_of_an_own_observer_is_not_mistaken_for_a_wrong_choice():
    with pytest.raises(TypeError, match="a fault in it"):
        CATALOGUE.choose(["short", OwnObserver()])
    with pytest.raises(TypeError, match="a fault in it"):
        CATALOGUE.choose(["short", (each for each in [OwnObserver()])])
