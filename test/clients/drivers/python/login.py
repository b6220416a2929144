"""The OAuth code of the Python SDK, which has the same names in its versions 1 and 2."""

from urllib.parse import parse_qs, urlparse

from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import OAuthClientMetadata

from driving import opened


class Kept(TokenStorage):
    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


def provider(question, answer_of):
    """answer_of makes of code, state and iss what the version wants to hear."""
    query = {}

    async def redirect(url):
        query.update(parse_qs(urlparse(await opened(url)).query))

    async def callback():
        return answer_of(*(query.get(name, [None])[0] for name in ("code", "state", "iss")))

    metadata = OAuthClientMetadata(
        client_name="driver",
        redirect_uris=[question["redirect"]],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    return OAuthClientProvider(question["url"], metadata, Kept(), redirect, callback)
