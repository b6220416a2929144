import t from 'tap'
import { filesOf, textOf } from '../support/sources.ts'

t.test(
  'whether a text is a URL is asked in one place: it bounds the host, which anybody may have written',
  async t => {
    t.same(
      filesOf('src', 'plugins', 'tools', 'prompts', 'resources', 'completions').filter(file =>
        /\bURL\.(?:canParse|parse)\(/.test(textOf(file))
      ),
      ['src/base/parsed-url.ts']
    )
  }
)
