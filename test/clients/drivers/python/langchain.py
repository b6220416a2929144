"""langchain-mcp-adapters, as its documentation uses it: each call has a connection of its own."""

from contextlib import asynccontextmanager

from langchain_mcp_adapters.client import MultiServerMCPClient

from driving import drive
from login import provider


class Session:
    def __init__(self, connection):
        self.client = MultiServerMCPClient({"forge": connection})
        self.tools = {}

    async def list(self):
        self.tools = {tool.name: tool for tool in await self.client.get_tools()}
        return list(self.tools)

    async def call(self, name, arguments):
        if name not in self.tools:
            await self.list()
        call = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
        message = await self.tools[name].ainvoke(call)
        content = message.content if isinstance(message.content, str) else message.content[0]["text"]
        return content, message.status == "error"


@asynccontextmanager
async def client_of(question):
    connection = {"transport": "streamable_http", "url": question["url"]}
    if "redirect" in question:
        connection["auth"] = provider(question, lambda code, state, iss: (code, state))
    else:
        connection["headers"] = {"Private-Token": question["token"]}
    yield Session(connection)


drive(client_of)
