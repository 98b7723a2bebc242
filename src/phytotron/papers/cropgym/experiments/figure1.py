"""Figure 1 of CropGym: where the agents were trained and tested, and how alike the climates are."""

from phytotron.papers.cropgym import numbers
from phytotron.papers.cropgym.experiments import climates
from phytotron.papers.cropgym.experiments.tables import compared
from phytotron.papers.result import Result, Row, Settings


def figure1(settings: Settings) -> Result:
    """Return the points of the paper, and those within reach of them whose weather is at hand."""
    settings.progress("similarity of the climates", 0.5)
    north, south = climates.northern_test(settings.weather), climates.southern_test(settings.weather)
    alike, remark = compared(north, south)
    held = [] if settings.weather is None else climates.points_in(settings.weather)
    wanted = (*numbers.TRAINING_SITES, numbers.SOUTH)
    near = [point for point in held if min(point.distance(*site) for site in wanted) <= climates.NEAR]
    rows = []
    for site in wanted:
        distances = [point.distance(*site) for point in near]
        if distances:
            where = f"({site[0]:g} N, {site[1]:g} E)"
            rows.append(Row("weather at hand", f"nearest point to {where}", "km", min(distances)))
    return Result(
        "Where agents are trained (north) and tested (north and south)",
        f"{numbers.PAPER}, figure 1 and section 2.3",
        (alike, *rows),
        (f"North: {north.described}. South: {south.described}.", remark),
        {
            "training": [list(site) for site in numbers.TRAINING_SITES],
            "northern test": [list(numbers.NORTH)],
            "southern test": [list(numbers.SOUTH)],
            "weather at hand": [[point.latitude, point.longitude] for point in near],
        },
    )
