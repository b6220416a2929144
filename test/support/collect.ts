import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects all memory that nothing keeps. */
export const collect = runInNewContext('gc') as (what?: { readonly type: 'minor' }) => void

/** Collects what was made lately, as V8 does by itself every so often. */
export const collectYoung = (): void => collect({ type: 'minor' })
