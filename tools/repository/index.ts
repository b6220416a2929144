import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'
import { codeRows } from './code.ts'
import { commitRows } from './commits.ts'
import { fileRows } from './files.ts'
import { protectionReadingRows } from './protection.ts'
import { tagReadingRows } from './tags.ts'

export const repository: Toolset = {
  id: 'repository',
  summary: 'Files, code search, commits, branches, tags and their protection.',
  rows: [...fileRows, ...codeRows, ...commitRows, ...tagReadingRows, ...protectionReadingRows]
}

export default toolsetPlugin(repository)
