#!/usr/bin/env node
/*
 * The program. The first process of a container does not get SIGTERM unless it has a handler for it. So a handler is
 * installed before anything else is loaded, as loading takes longer than the rest of the start. An older Node also
 * fails to load only after that.
 */

import module from 'node:module'
import { join } from 'node:path'
import { isatty } from 'node:tty'

const leave = (): never => process.exit(0)
process.once('SIGTERM', leave)

// To a service over HTTP, SIGHUP says that files have changed, and they may change while it starts. What serves knows
// whether it is one, so it hears of it afterwards. At a terminal it is the terminal that has gone.
let isHungUp = false
const hangUp = () => {
  isHungUp = true
}
if (!isatty(0)) process.on('SIGHUP', hangUp)

/**
 * Milliseconds after the start at which the compile cache is written: a stdio client may kill the process, and then
 * nothing would be kept.
 */
const KEEP_AFTER_MS = 5_000

// The next start reuses what Node has compiled of the build; NODE_COMPILE_CACHE names another folder. The cache is in
// the home of the user who starts it: where others can write, they could put code that would run here.
const home = process.env.HOME ?? process.env.USERPROFILE
if (import.meta.url.endsWith('.js') && process.env.NODE_COMPILE_CACHE === undefined && home !== undefined) {
  module.enableCompileCache?.(join(home, '.cache', 'forge-tool-server'))
  setTimeout(() => module.flushCompileCache?.(), KEEP_AFTER_MS).unref()
}

/** The oldest version in `engines` of package.json. */
const OLDEST_NODE = '22.19'
if (process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0)
  process.stderr.write(
    `Node.js ${process.versions.node} is too old: forge-tool-server is made for ${OLDEST_NODE} or newer. It goes on as far as it gets.\n`
  )

const { main } = await import('./main.ts')
await main(process.argv.slice(2), () => {
  process.off('SIGTERM', leave).off('SIGHUP', hangUp)
  if (isHungUp) process.kill(process.pid, 'SIGHUP')
})
