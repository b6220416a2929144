import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded before every test file (package.json, tap). To attribute uncaught errors, tap follows every promise, timer and
 * socket through async hooks. That takes a seventh of all test time, and is not how the service runs. Without the
 * hooks, an uncaught error fails its process, with its stack, and the test under way.
 */

hooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()
