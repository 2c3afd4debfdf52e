"""A typed async client for the three services, based only on the contracts.

Start with `Jasshaus`. `actions` builds a player's actions at a table; `JassError` and its subclasses report
refusals.
"""

from jasshaus.client import actions as actions
from jasshaus.client.connection import Patience as Patience
from jasshaus.client.connection import Token as Token
from jasshaus.client.errors import Denied as Denied
from jasshaus.client.errors import InvalidArgument as InvalidArgument
from jasshaus.client.errors import JassError as JassError
from jasshaus.client.errors import LimitReached as LimitReached
from jasshaus.client.errors import NotFound as NotFound
from jasshaus.client.errors import Refused as Refused
from jasshaus.client.errors import Replaced as Replaced
from jasshaus.client.errors import Stale as Stale
from jasshaus.client.errors import Unauthenticated as Unauthenticated
from jasshaus.client.errors import Unavailable as Unavailable
from jasshaus.client.jasshaus import Jasshaus as Jasshaus
from jasshaus.client.table import Choose as Choose
from jasshaus.client.table import Update as Update
