"""Prints what python-gitlab knows of the REST interface: its managers' paths, and the attributes they declare."""

import inspect
import json
import re
import sys

import gitlab
from gitlab import mixins
from gitlab.base import RESTManager
from gitlab.v4 import objects


def operations():
    for name, manager in sorted(inspect.getmembers(objects, inspect.isclass)):
        if not issubclass(manager, RESTManager) or not getattr(manager, "_path", None):
            continue
        path = re.sub(r"\{[^}]*\}", "{}", manager._path)
        one = path if issubclass(manager, mixins.GetWithoutIdMixin) else path + "/{}"
        changed = path if issubclass(manager, mixins.GetWithoutIdMixin) else one

        def said(method, at, attributes=()):
            return {"called": name, "method": method, "path": at, "names": sorted(set(attributes))}

        def of(kind):
            return [*kind.required, *kind.optional, *kind.exclusive]

        if issubclass(manager, mixins.ListMixin):
            yield said("GET", path, [*manager._list_filters, "page", "per_page"])
        if issubclass(manager, (mixins.GetMixin, mixins.GetWithoutIdMixin)):
            yield said("GET", one, manager._optional_get_attrs)
        if issubclass(manager, mixins.CreateMixin):
            yield said("POST", path, of(manager._create_attrs))
        if issubclass(manager, mixins.UpdateMixin):
            yield said(manager._update_method.name, changed, of(manager._update_attrs))
        if issubclass(manager, mixins.DeleteMixin):
            yield said("DELETE", one)


json.dump({"version": gitlab.__version__, "operations": list(operations())}, sys.stdout)
