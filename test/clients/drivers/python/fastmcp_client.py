"""fastmcp."""

import json
import sys
import threading
import time
import urllib.request
import webbrowser
from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.auth import OAuth
from fastmcp.client.transports import StreamableHttpTransport

from driving import drive, say

LONGEST_S = 20


def browse(url):
    """It opens a browser and waits at a port of its own for what comes of that."""
    say({"open": url})
    at = json.loads(sys.stdin.readline())["at"]

    def deliver():
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            try:
                return urllib.request.urlopen(at).read()
            except urllib.error.URLError:
                time.sleep(0.05)

    threading.Thread(target=deliver, daemon=True).start()


webbrowser.open = browse


class Session:
    def __init__(self, client):
        self.client = client

    async def list(self):
        return [tool.name for tool in await self.client.list_tools()]

    async def call(self, name, arguments):
        result = await self.client.call_tool(name, arguments, raise_on_error=False)
        return result.content[0].text, result.is_error


@asynccontextmanager
async def client_of(question):
    if "redirect" in question:
        how = {"auth": OAuth(callback_host="127.0.0.1")}
    else:
        how = {"headers": {"Private-Token": question["token"]}}
    transport = StreamableHttpTransport(question["url"], **how)
    async with Client(transport, mode=question["mode"]) as client:
        yield Session(client)


drive(client_of)
