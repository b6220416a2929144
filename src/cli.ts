#!/usr/bin/env node
/*
 * The program. The first process of a container gets no SIGTERM that it has no handler for, so one is there before
 * anything else is loaded, which takes longer than the rest of the start. What an older Node cannot load fails then,
 * too.
 */

import module from 'node:module'
import { join } from 'node:path'

const leave = (): never => process.exit(0)
process.once('SIGTERM', leave)

/** Milliseconds after the start; a stdio client may end the process without a word, and nothing would be kept. */
const KEEP_AFTER_MS = 5_000

// What Node compiles once of the build, the next start finds; NODE_COMPILE_CACHE names another folder. It is in the
// home of whoever starts it, as what others can write there would run here.
const home = process.env.HOME ?? process.env.USERPROFILE
if (import.meta.url.endsWith('.js') && process.env.NODE_COMPILE_CACHE === undefined && home !== undefined) {
  module.enableCompileCache?.(join(home, '.cache', 'forge-tool-server'))
  setTimeout(() => module.flushCompileCache?.(), KEEP_AFTER_MS).unref()
}

/** Of package.json's engines. */
const OLDEST_NODE = '22.19'
if (process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0)
  process.stderr.write(
    `Node.js ${process.versions.node} is too old: forge-tool-server is made for ${OLDEST_NODE} or newer. It goes on as far as it gets.\n`
  )

const { main } = await import('./main.ts')
await main(process.argv.slice(2), () => process.off('SIGTERM', leave))
