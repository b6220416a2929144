import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded before every test file (package.json, tap). To know whose an error is that nobody caught, tap follows every
 * promise, timer and socket through async hooks: a seventh of all the time of the tests, and not how the service runs.
 * Without them such an error fails its process, with its stack, and the test under way.
 */

hooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()
