"""The Python SDK, version 2."""

from contextlib import asynccontextmanager

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult
from mcp.client.streamable_http import streamable_http_client

from driving import drive
from login import provider


class Session:
    def __init__(self, client):
        self.client = client

    async def list(self):
        return [tool.name for tool in (await self.client.list_tools()).tools]

    async def call(self, name, arguments):
        result = await self.client.call_tool(name, arguments)
        return result.content[0].text, result.is_error


@asynccontextmanager
async def client_of(question):
    if "redirect" in question:
        answer_of = lambda code, state, iss: AuthorizationCodeResult(code=code, state=state, iss=iss)
        how = {"auth": provider(question, answer_of)}
    else:
        how = {"headers": {"Private-Token": question["token"]}}
    async with (
        httpx2.AsyncClient(timeout=60, **how) as http,
        Client(streamable_http_client(question["url"], http_client=http), mode=question["mode"]) as client,
    ):
        yield Session(client)


drive(client_of)
