import { hash } from 'node:crypto'
import { isOfWeb } from '../../base/host-names.ts'
import { isLoopback } from '../../config/loopback.ts'
import type { LoginQuestion } from './authorize.ts'

/*
 * The pages that people see. They are rendered on the server, without scripts, and each value is escaped. The style is
 * allowed by its hash, so nothing else in a page can take effect.
 */

const style = `
:root{color-scheme:light dark;--text:#1c1e21;--soft:#555b63;--line:#8a9099;--back:#fff;--go:#0b57d0;--on-go:#fff}
@media(prefers-color-scheme:dark){:root{--text:#eceef1;--soft:#b4bac2;--line:#7d848e;--back:#17191c;--go:#a8c7fa;--on-go:#0a2351}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2.5rem 1.25rem}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 1rem;overflow-wrap:anywhere}
dl{margin:1.25rem 0;border:1px solid var(--line);border-radius:.5rem;padding:.25rem 1rem}
dt{color:var(--soft);font-size:.9rem;margin-top:.75rem}
dd{margin:0 0 .75rem;overflow-wrap:anywhere}
.choice{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button,.button{font:inherit;min-height:2.75rem;padding:.5rem 1.5rem;border-radius:.5rem;border:1px solid var(--line);background:none;color:inherit;cursor:pointer;text-decoration:none}
.go{background:var(--go);border-color:var(--go);color:var(--on-go)}
:focus-visible{outline:3px solid var(--go);outline-offset:3px}
`

/** For the Content-Security-Policy: the hash of the only style that pages have. */
export const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character]!)

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title>${head}
<style>${style}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`

const meanings: Readonly<Record<string, string>> = {
  api: 'read and change everything that you can',
  read_api: 'read everything that you can',
  read_user: 'read your profile',
  read_repository: 'read the code that you can',
  write_repository: 'change the code that you can'
}

const access = (scope: string): string =>
  scope
    .split(' ')
    .map(name => (Object.hasOwn(meanings, name) ? `${meanings[name]} (${name})` : name))
    .join('; ')

/** The place that the code is sent to, in words that make a look-alike visible. */
function destination(redirectUri: string): string {
  const url = new URL(redirectUri)
  if (!isOfWeb(url)) return `an application on this device (${url.protocol})`
  return isLoopback(url.hostname) ? `an application on this device (${url.host})` : url.host
}

/**
 * The page that asks whether a client may use the forge in a person's name. The client's name is only what the client
 * calls itself, so the page also shows where the answer goes, which a client cannot make up. The name stands apart from
 * any sentence. Within one, a character that looks like a quotation mark would end the name, and the client's words
 * would look like those of this service.
 * @param forge host of the forge
 * @returns HTML
 */
export function consentPage({ client, redirectUri, scope, ticket }: LoginQuestion, forge: string): string {
  const id = client.id.startsWith('https://') ? new URL(client.id).host : undefined
  return page(
    'Allow an application?',
    `<h1>Allow an application to use ${escaped(forge)} as you?</h1>
<p>Nobody has checked what it calls itself. Allow it only if you have just started this login from an application that you trust.</p>
<dl>
<dt>It calls itself</dt><dd>${escaped(client.name ?? 'It has no name.')}</dd>
<dt>It will be able to</dt><dd>${escaped(access(scope))}</dd>
<dt>The login goes back to</dt><dd><strong>${escaped(destination(redirectUri))}</strong><br>${escaped(redirectUri)}</dd>${
      id === undefined ? '' : `\n<dt>It is described at</dt><dd>${escaped(id)}</dd>`
    }
</dl>
<p>Next you log in at ${escaped(forge)}, if you are not logged in there already.</p>
<form method="post" action="consent">
<input type="hidden" name="ticket" value="${escaped(ticket)}">
<div class="choice">
<button name="decision" value="deny">Deny</button>
<button class="go" name="decision" value="allow">Allow</button>
</div>
</form>`
  )
}

/**
 * The page after the consent form, which sends the browser on to `url`. A redirect would count as part of sending the
 * form, and the Content-Security-Policy restricts that to this site. The login, in contrast, may pass through any
 * single sign-on service.
 */
export const onwardPage = (url: string): string =>
  page(
    'Going on',
    `<h1>Going on …</h1>
<p class="choice"><a class="button go" href="${escaped(url)}">Continue</a></p>`,
    `\n<meta http-equiv="refresh" content="0;url=${escaped(url)}">`
  )

/** The page that tells a person with a browser what went wrong. */
export const problemPage = (message: string): string =>
  page('The login did not work', `<h1>The login did not work</h1>\n<p>${escaped(message)}</p>`)
