import type { Settings } from './load.ts'
import { readSmallFile } from './small-file.ts'

/**
 * Reports a file .env with variables of this service, because some programs read such files by themselves. It is only
 * looked for if no forge is set, when tokens would go to the default one.
 */
export async function envFileUnread(path: string, settings: Settings): Promise<string[]> {
  if (settings.FORGE_API_URL !== undefined) return []
  const text = await readSmallFile(path).catch(() => '')
  return /^[^\S\n]*(?:export[^\S\n]+)?FORGE_\w+[^\S\n]*=/m.test(text)
    ? [
        `The file ${path} is there, and is not read by itself: give it to Node.js, as in node --env-file=${path}.`
      ]
    : []
}
