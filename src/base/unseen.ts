/**
 * Characters that a display ignores or is controlled by, for the class of a regular expression with the flag u. Unicode
 * defines them, not a list of our own (Default_Ignorable_Code_Point); interlinear annotations and the controls of the
 * layout of hieroglyphs are the only such to which it gives another property, so that a font without them shows a sign.
 * Those of ASCII, except delete, are for whoever uses it to decide on: texts have line ends.
 */
export const unseen = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}\u007f-\u009f`
