"""What all drivers in Python share: a question a line, and its answer as a line."""

import asyncio
import json
import sys


def say(answer):
    print(json.dumps(answer), flush=True)


async def heard():
    line = await asyncio.to_thread(sys.stdin.readline)
    return json.loads(line) if line else None


async def opened(url):
    """Has a URL opened in a browser, and says where the browser ended up."""
    say({"open": url})
    return (await heard())["at"]


def told(error):
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    code = getattr(getattr(error, "error", None), "code", None)
    return {"error": {"code": code, "message": f"{type(error).__name__}: {error}"}}


class Connection:
    """A client in a task of its own, as the end of a connection ends the task that opened it."""

    def __init__(self, client):
        self.over = asyncio.Event()
        self.ready = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self.live(client))

    async def live(self, client):
        async with client as session:
            self.ready.set_result(session)
            await self.over.wait()

    async def of(self, work):
        """What comes of some work, or of the connection when that ends first."""
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, self.task}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel("changed my mind")
        if task.done() or not self.task.done():
            return await task
        task.cancel()
        await self.task
        raise ConnectionError("the connection ended")

    async def close(self):
        self.over.set()
        await self.task


class Driver:
    def __init__(self, client_of):
        self.client_of = client_of
        self.connection = None
        self.call = None

    async def answer(self, question):
        match question["do"]:
            case "connect":
                self.connection = Connection(self.client_of(question))
                self.session = await self.connection.of(self.connection.ready)
                return {}
            case "list":
                return {"tools": await self.connection.of(self.session.list())}
            case "call":
                return await self.connection.of(self.called(question))
            case "start":
                self.call = asyncio.create_task(self.connection.of(self.called(question)))
                return {}
            case "cancel":
                self.call.cancel("changed my mind")
                return await self.call
            case "close":
                connection, self.connection = self.connection, None
                if connection is not None:
                    await connection.close()
                return {}

    async def called(self, question):
        text, is_error = await self.session.call(question["name"], question["arguments"])
        return {"text": text, "isError": is_error}


async def main(client_of):
    driver = Driver(client_of)
    while (question := await heard()) is not None:
        try:
            say(await driver.answer(question))
        except BaseException as error:
            say(told(error))


def drive(client_of):
    """Answers questions until there are no more. client_of gives an async context manager of a session, which has
    list() and call(name, arguments), for what a connection is to be like."""
    asyncio.run(main(client_of))
