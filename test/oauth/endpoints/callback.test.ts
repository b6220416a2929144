import t from 'tap'
import { decide } from '../../../src/oauth/endpoints/callback.ts'
import type { OAuthProxy } from '../../../src/oauth/endpoints/proxy.ts'
import { digest } from '../../../src/oauth/rules/pkce.ts'
import { MemoryOAuthStorage } from '../../../src/oauth/storage/memory-storage.ts'

t.test(
  'the answer to the consent page is for a login that was not agreed to yet, in its browser',
  async t => {
    const storage = new MemoryOAuthStorage({ client: 60_000, pending: 60, grant: 60 })
    const proxy = { storage, consent: true, facts: () => ({ publicUrl: 'https://mcp.example' }) }
    const browser = { holder: 'h', address: 'a', ip: 'a', nonce: 'n', sent: ['nonce'], requestId: 'r-1' }
    const answer = (approved: boolean, nonce: string, decision: string) => {
      const ticket = storage.addPending(
        {
          client: digest('client'),
          redirectUri: 'https://app.example/cb',
          challenge: 'c'.repeat(43),
          verifier: 'v'.repeat(43),
          scope: 'api',
          browser: digest(nonce),
          approved
        },
        'here'
      )
      return decide(new Map(Object.entries({ ticket, decision })), browser, proxy as unknown as OAuthProxy)
    }
    t.match(answer(false, 'nonce', 'deny'), {
      redirect: /^https:\/\/app\.example\/cb\?.*error=access_denied/
    })
    for (const decision of ['deny', 'allow']) {
      t.throws(() => answer(true, 'nonce', decision), {
        code: 'invalid_request',
        message: /^Unknown or expired/
      })
      t.throws(() => answer(false, 'other', decision), {
        code: 'invalid_request',
        message: /^Unknown or expired/
      })
    }
  }
)
