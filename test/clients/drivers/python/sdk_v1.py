"""The Python SDK, version 1."""

from contextlib import asynccontextmanager

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from driving import drive
from login import provider


class Session:
    def __init__(self, session):
        self.session = session

    async def list(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call(self, name, arguments):
        result = await self.session.call_tool(name, arguments)
        return result.content[0].text, result.isError


@asynccontextmanager
async def client_of(question):
    if "redirect" in question:
        how = {"auth": provider(question, lambda code, state, iss: (code, state))}
    else:
        how = {"headers": {"Private-Token": question["token"]}}
    async with (
        httpx.AsyncClient(timeout=60, **how) as http,
        streamable_http_client(question["url"], http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield Session(session)


drive(client_of)
