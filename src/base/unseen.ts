/**
 * Characters that a display ignores, or that control it, for a character class of a regular expression with the flag u.
 * They come from Unicode's definition (Default_Ignorable_Code_Point), not from a list of our own. Interlinear
 * annotations and the layout controls of hieroglyphs are the only such characters with another property, by which a
 * font without them shows a sign. ASCII control characters, except delete, are left to the user of this class, because
 * texts have line ends.
 */
export const unseen = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}\u007f-\u009f`
