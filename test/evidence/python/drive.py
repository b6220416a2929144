"""Makes the calls of standard input with python-gitlab, a line each, and says what became of them."""

import base64
import inspect
import json
import os
import re
import sys
from types import SimpleNamespace

import gitlab
from gitlab import mixins
from gitlab.base import RESTManager, RESTObject
from gitlab.v4 import objects

server = os.environ["FORGE_URL"]
forge = gitlab.Gitlab(server, private_token=os.environ["FORGE_TOKEN"], retry_transient_errors=False)

managers = {}
for _, manager in sorted(inspect.getmembers(objects, inspect.isclass)):
    if issubclass(manager, RESTManager) and getattr(manager, "_path", None):
        managers.setdefault(re.sub(r"\{[^}]*\}", "{}", manager._path), []).append(manager)


def manager_of(path, values, kind):
    """The manager of a path that can do what is asked, with a parent that has nothing but the path's values."""
    for manager in managers.get(path, []):
        if issubclass(manager, kind):
            names = re.findall(r"\{([^}]*)\}", manager._path)
            parents = {manager._from_parent_attrs.get(name, name): value for name, value in zip(names, values)}
            parent = SimpleNamespace(manager=forge.projects, **parents) if names else None
            return manager(forge, parent=parent)
    return None


def plain(value):
    if isinstance(value, RESTObject):
        return value.attributes
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if isinstance(value, dict) else None


def made(method, path, values, data):
    own, last = path.rsplit("/", 1)
    if method == "GET":
        if found := manager_of(path, values, mixins.ListMixin):
            return plain(found.list(get_all=False, **data))
        if found := manager_of(path, values, mixins.GetWithoutIdMixin):
            return plain(found.get(**data))
        if last == "{}" and (found := manager_of(own, values[:-1], mixins.GetMixin)):
            return plain(found.get(values[-1], **data))
    if method == "POST" and (found := manager_of(path, values, mixins.CreateMixin)):
        return plain(found.create(data))
    if method == "PUT" and last == "{}" and (found := manager_of(own, values[:-1], mixins.UpdateMixin)):
        return found.update(values[-1], data)
    if method == "DELETE" and last == "{}" and (found := manager_of(own, values[:-1], mixins.DeleteMixin)):
        return found.delete(values[-1])
    raise NotImplementedError


for line in sys.stdin:
    wanted = json.loads(line)
    try:
        if "filename" in wanted:
            project = forge.projects.get(wanted["project"])
            got = {"value": project.upload(wanted["filename"], filedata=base64.b64decode(wanted["content"]))}
        else:
            got = {"value": made(wanted["method"], wanted["template"], wanted["path"], wanted["values"])}
    except NotImplementedError:
        got = {"unknown": True}
    except gitlab.GitlabError as refused:
        got = {"error": str(refused)}
        if refused.response_code:
            got["status"] = refused.response_code
    except Exception as failed:  # whatever a client falls over is said, not hidden
        got = {"error": f"{type(failed).__name__}: {failed}"}
    print(json.dumps(got), flush=True)
