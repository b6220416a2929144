import { prompt } from '../src/prompts/row.ts'

export const whatsNext = prompt({
  name: 'whats_next',
  title: 'What to do next',
  description: 'Looks at all that waits for you in the forge, and says what to begin with.',
  arguments: {},
  needs: ['whats_on_my_plate'],
  ask: () => 'What should I do next?',
  steps: () => [
    'Call `whats_on_my_plate`.',
    'Put it in order: what others wait for me with (reviews, questions) before what is due, and that before what is merely mine. What is blocked by somebody else comes last, with by whom.',
    'Look closer at the first two or three, with `review_merge_request` or `get_issue`, to say what exactly is to be done.',
    'Answer with at most five: what, why now, the first step, its link. Then in one line what can wait, and which to-dos are done by now.',
    ['Mark those as done with `mark_todo_done` when I say so.', 'Change nothing.']
  ]
})
