import type { Peeled } from './elision-line.ts'

/*
 * Lines that stand for omitted text (elision-words.ts) in languages other than English, as models write them. Only
 * whole phrases count: single words for this occur far more often in honest lines, and each language has its own rules
 * of meaning.
 */

/** The phrases of a language, separated by commas. */
interface Phrases {
  /** Phrases that say the rest is unchanged. */
  readonly rest: string
  /** Phrases for the existing content. They count only with dots on both sides, which say that it is left out. */
  readonly existing: string
}

const languages: Readonly<Record<string, Phrases>> = {
  German: {
    rest: `rest unverändert, rest bleibt unverändert, der rest bleibt unverändert, restlicher text unverändert,
      restlicher inhalt unverändert, rest der beschreibung unverändert, rest der datei unverändert,
      rest des dokuments unverändert, rest bleibt gleich, der rest bleibt gleich`,
    existing: 'bestehender inhalt, bestehender code, bestehender text'
  },
  French: {
    rest: `reste inchangé, le reste inchangé, le reste est inchangé, le reste reste inchangé, le reste est identique,
      reste du document inchangé, le reste du document est inchangé, le reste de la description est inchangé`,
    existing: 'contenu existant, code existant, texte existant'
  },
  Spanish: {
    rest: `resto sin cambios, el resto sin cambios, resto del documento sin cambios, resto del contenido sin cambios,
      el resto permanece igual, el resto se mantiene igual, el resto del documento se mantiene igual`,
    existing: 'contenido existente, código existente, texto existente'
  },
  Portuguese: {
    rest: `resto inalterado, restante inalterado, o restante permanece inalterado, resto sem alterações,
      o resto sem alterações`,
    existing: 'conteúdo existente, código existente, texto existente'
  },
  Italian: {
    rest: `resto invariato, il resto è invariato, il resto rimane invariato, il resto del documento è invariato`,
    existing: 'contenuto esistente, codice esistente, testo esistente'
  },
  Dutch: {
    rest: 'rest ongewijzigd, de rest ongewijzigd, de rest blijft ongewijzigd, de rest blijft hetzelfde',
    existing: 'bestaande inhoud, bestaande code'
  },
  Polish: {
    rest: 'reszta bez zmian, pozostała część bez zmian, pozostała treść bez zmian',
    existing: 'istniejąca treść, istniejący kod'
  },
  Turkish: {
    rest: 'geri kalanı aynı, geri kalan aynı, geri kalanı değişmedi',
    existing: 'mevcut içerik, mevcut kod'
  },
  Russian: {
    rest: `остальное без изменений, остальной текст без изменений, остальная часть без изменений,
      остальной код без изменений`,
    existing: 'существующее содержимое, существующий код'
  },
  Arabic: {
    rest: 'باقي النص بدون تغيير, الباقي بدون تغيير',
    existing: 'المحتوى الموجود, الكود الموجود'
  },
  Hindi: {
    rest: 'शेष सामग्री अपरिवर्तित, शेष अपरिवर्तित',
    existing: 'मौजूदा सामग्री, मौजूदा कोड'
  },
  Vietnamese: {
    rest: 'phần còn lại không đổi, phần còn lại không thay đổi, phần còn lại giữ nguyên',
    existing: 'nội dung hiện có, mã hiện có'
  },
  Chinese: {
    rest: `其余不变, 其余内容不变, 其余部分不变, 其余部分保持不变, 其余代码不变, 其餘不變, 其餘內容不變,
      其餘部分不變`,
    existing: '现有内容, 现有代码, 現有內容, 現有程式碼'
  },
  Japanese: {
    rest: '残りは変更なし, 残りの部分は変更なし, 残りの内容は変更なし, 残りはそのまま, 残りの部分はそのまま',
    existing: '既存の内容, 既存のコード'
  },
  Korean: {
    rest: '나머지 동일, 나머지는 동일, 나머지 변경 없음, 나머지 내용은 변경 없음',
    existing: '기존 내용, 기존 코드'
  }
}

const all = (which: keyof Phrases): ReadonlySet<string> =>
  new Set(Object.values(languages).flatMap(phrases => phrases[which].split(/,\s+/)))

const restStays = all('rest')
const existing = all('existing')

const word = '[\\p{L}\\p{M}]{1,24}'
/** Matches the first two words of a line, whatever signs are before and between them. */
const beginning = new RegExp(`(${word})(?:[^\\p{L}\\p{M}]{1,9}(${word}))?`, 'u')
/** The first two words of each phrase, or the only one. */
const beginnings = new Set([...restStays, ...existing].map(phrase => phrase.split(' ', 2).join(' ')))

/** Whether a line may contain one of the phrases: other lines need not be parsed. */
export function maySayElsewhere(line: string): boolean {
  const [, first = '', second = ''] = beginning.exec(line.toLowerCase()) ?? []
  return beginnings.has(first) || beginnings.has(`${first} ${second}`)
}

/** Whether a line stands for omitted text, in a language other than English. */
export function standsElsewhere({ dots, bracket, comment, words }: Peeled): boolean {
  const phrase = words.join(' ')
  if (dots.both && existing.has(phrase)) return true
  return (dots.any || bracket !== undefined || comment === '<!--') && restStays.has(phrase)
}
