/* Advice for arguments that only the work item tools have. Issues are work items, too. */

const listed = 'which list_work_items takes'
export const otherTimes = {
  closed_after: listed,
  closed_before: listed,
  due_after: listed,
  due_before: listed
}

const estimated = 'which set_time_estimate sets, of an issue that is there'

/**
 * Advice for attributes that an issue tool cannot set or filter by.
 * @param taken names the tool that takes them
 */
export const ofWorkItems = (taken: string) => ({
  start_date: taken,
  health_status: taken,
  iteration_id: taken,
  parent_id: taken,
  estimate: estimated,
  time_estimate: estimated,
  ...Object.fromEntries(
    ['parent', 'parent_iid', 'epic', 'epic_id', 'epic_iid'].map(name => [name, `${taken} as parent_id`])
  )
})
