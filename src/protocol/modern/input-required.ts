import type { InputRequired } from '../../engine/question.ts'

/** The result of a request that goes on when its client comes back with answers, as JSON. @param meta its `_meta` */
export const inputRequired = ({ questions, requestState }: InputRequired, meta: object): string =>
  JSON.stringify({
    resultType: 'input_required',
    _meta: meta,
    inputRequests: questions,
    requestState
  })
