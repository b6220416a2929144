/**
 * Advice for tools that set a milestone. A forge refuses the id of a milestone of another project, and says only that
 * it is invalid.
 */
export const noSuchMilestone = {
  400: [[/milestone/i, 'list_milestones has the milestones there are, with their ids.']]
} as const
