#!/usr/bin/env node
/*
 * The program. The first process of a container gets no SIGTERM that it has no handler for, so one is there before
 * anything else is loaded, which takes longer than the rest of the start.
 */

const leave = (): never => process.exit(0)
process.once('SIGTERM', leave)

const { main } = await import('./main.ts')
await main(process.argv.slice(2), () => process.off('SIGTERM', leave))

export {}
