/** The messages of an event stream as they arrive, without comments. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every kind are looked into
export async function* messages(response: Response): AsyncGenerator<any, void> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      if (data !== undefined) yield JSON.parse(data)
      text = text.slice(end + 2)
    }
  }
}
