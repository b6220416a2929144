import type { Toolset } from '../../src/catalog/toolset.ts'
import { toolsetPlugin } from '../plugin.ts'

export const people: Toolset = {
  id: 'people',
  summary: 'People: who you are, who others are, following, your status.',
  rows: []
}

export default toolsetPlugin(people)
