import { personOf } from '../access.ts'
import { type Call, created, noContent, type Operations, paged, queryText, recordNotFound } from '../http.ts'
import { presentTodo } from '../present/issue.ts'
import type { Todo } from '../types.ts'

const own = (call: Call) => {
  const user = personOf(call)
  return call.state.todos.filter(todo => todo.user === user)
}

const finish = (call: Call, todo: Todo) => {
  todo.state = 'done'
  todo.updatedAt = call.state.time()
}

/** Lists to-dos. Without a state, only pending ones are listed (docs: to-do list API). */
const list = (call: Call) => {
  const equal = (name: string, value: string | number) => {
    const wanted = queryText(call, name)
    return wanted === undefined || wanted === String(value)
  }
  const state = queryText(call, 'state') ?? 'pending'
  const rows = own(call).filter(
    todo =>
      todo.state === state &&
      equal('action', todo.action) &&
      equal('author_id', todo.author.id) &&
      equal('project_id', todo.target.project.id) &&
      equal('group_id', todo.target.project.group.id) &&
      equal('type', todo.target.kind)
  )
  return paged(call, rows.reverse(), todo => presentTodo(call.state, todo))
}

export const todoOperations: Operations = {
  list_todos: list,
  mark_todo_done: call => {
    const todo = own(call).find(({ id }) => String(id) === call.params.id)
    if (!todo) throw recordNotFound()
    finish(call, todo)
    return created(presentTodo(call.state, todo))
  },
  mark_all_todos_done: call => {
    for (const todo of own(call).filter(({ state }) => state === 'pending')) finish(call, todo)
    return noContent()
  }
}
