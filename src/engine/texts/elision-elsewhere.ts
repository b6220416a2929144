import type { Peeled } from './elision-line.ts'

/*
 * Lines that stand for others (elision-words.ts) in languages other than English, as models write them in texts that are.
 * They are whole phrases: words that may say so are in honest lines far more often, as each language has other rules of
 * what is meant.
 */

const setOf = (phrases: string): ReadonlySet<string> =>
  new Set(phrases.split(/[,\n]/).map(phrase => phrase.trim()))

/** That the rest is as it was. */
const restStays = setOf(`rest unverändert, rest bleibt unverändert, der rest bleibt unverändert
  restlicher text unverändert, restlicher inhalt unverändert, rest der beschreibung unverändert
  rest der datei unverändert, rest des dokuments unverändert, rest bleibt gleich, der rest bleibt gleich
  reste inchangé, le reste inchangé, le reste est inchangé, le reste reste inchangé, le reste est identique
  reste du document inchangé, le reste du document est inchangé, le reste de la description est inchangé
  resto sin cambios, el resto sin cambios, resto del documento sin cambios, resto del contenido sin cambios
  el resto permanece igual, el resto se mantiene igual, el resto del documento se mantiene igual
  resto inalterado, restante inalterado, o restante permanece inalterado, resto sem alterações, o resto sem alterações
  resto invariato, il resto è invariato, il resto rimane invariato, il resto del documento è invariato
  rest ongewijzigd, de rest ongewijzigd, de rest blijft ongewijzigd, de rest blijft hetzelfde
  reszta bez zmian, pozostała część bez zmian, pozostała treść bez zmian
  geri kalanı aynı, geri kalan aynı, geri kalanı değişmedi
  остальное без изменений, остальной текст без изменений, остальная часть без изменений
  остальной код без изменений, باقي النص بدون تغيير, الباقي بدون تغيير
  शेष सामग्री अपरिवर्तित, शेष अपरिवर्तित, phần còn lại không đổi, phần còn lại không thay đổi, phần còn lại giữ nguyên
  其余不变, 其余内容不变, 其余部分不变, 其余部分保持不变, 其余代码不变, 其餘不變, 其餘內容不變, 其餘部分不變
  残りは変更なし, 残りの部分は変更なし, 残りの内容は変更なし, 残りはそのまま, 残りの部分はそのまま
  나머지 동일, 나머지는 동일, 나머지 변경 없음, 나머지 내용은 변경 없음`)

/** What is there, where dots on both sides say that it is left out. */
const existing =
  setOf(`bestehender inhalt, bestehender code, bestehender text, contenu existant, code existant
  texte existant, contenido existente, código existente, texto existente, conteúdo existente, contenuto esistente
  codice esistente, testo esistente, bestaande inhoud, bestaande code, istniejąca treść, istniejący kod
  mevcut içerik, mevcut kod, существующее содержимое, существующий код, المحتوى الموجود, الكود الموجود
  मौजूदा सामग्री, मौजूदा कोड, nội dung hiện có, mã hiện có, 现有内容, 现有代码, 現有內容, 現有程式碼
  既存の内容, 既存のコード, 기존 내용, 기존 코드`)

/** A word of each of them: other lines need no look. */
export const elsewhere =
  /unver[äa]|gleich|bestehend|inchang|identique|exist|sin cambios|se mantiene|permanece|inalter|sem altera|invariat|esistent|ongewijzigd|hetzelfde|bestaande|bez zmian|istniej|aynı|değişme|mevcut|без изменений|существующ|بدون|الموجود|अपरिवर्तित|मौजूदा|không|giữ nguyên|hiện có|不变|不變|现有|現有|既存|変更なし|そのまま|동일|변경|기존/i

/** Whether a line stands for others in a language other than English. */
export function standsElsewhere({ dots, bracket, comment, words }: Peeled): boolean {
  const phrase = words.join(' ')
  if (dots.both && existing.has(phrase)) return true
  return (dots.any || bracket !== undefined || comment === '<!--') && restStays.has(phrase)
}
