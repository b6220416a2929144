/*
 * Words of lines that stand for others (elision-words.ts) in languages other than English, of which a model writes such
 * lines in texts that are. Words are apart by spaces, `_` stands for one within, and `-` takes each ending after `:`.
 */

/** What a word of such a line is. */
export type Role = 'rest' | 'other' | 'existing' | 'whole' | 'part' | 'unchanged' | 'same' | 'fill'

/**
 * The words of a language.
 * - `rest`: what stays, as in "the rest", which only counts before what it is the rest of
 * - `other`: the same beside a noun, as in "remaining text"
 * - `existing`: as in "existing code"
 * - `whole`: the text, or what of it may be left out, of which there is one
 * - `part`: such as fields, of which there are many, and of which people say honestly that they stay
 * - `unchanged`: that it was left out, or as it was
 * - `same`: the same in words that say more than that, as of remainders
 */
export interface Language extends Record<Role, string> {
  /** Whether it writes its words without spaces between them. */
  readonly isUnspaced?: true
}

export const languages: readonly Language[] = [
  {
    rest: 'rest restes',
    other:
      'restlich-:e,en,er,es,em übrig-:e,en,er,es,em verbleibend-:e,en,er,es ander-:e,en,er,es weiter-:e,en,er,es',
    existing:
      'bestehend-:e,en,er,es bisherig-:e,en,er,es vorhanden-:e,en,er,es vorherig-:e,en,er,es ursprünglich-:e,en,er,es',
    whole:
      'code codes quellcode inhalt inhalte inhalts text textes texts beschreibung datei dokument dokuments dokumentation seite abschnitt abschnitts konfiguration klasse funktion methode modul skript implementierung',
    part: 'zeilen felder funktionen methoden importe tests stile routen notizen kommentare komponenten abschnitte klassen',
    unchanged:
      'unverändert-:,e,er,es unveraendert ausgelassen weggelassen unberührt nicht_geändert nicht_verändert keine_änderung keine_änderungen ohne_änderung ohne_änderungen',
    same: 'gleich identisch derselbe dasselbe wie_bisher wie_zuvor wie_vorher wie_gehabt bleibt bleiben',
    fill: 'der die das des dem den ist sind wird werden alles alle hier in von vom'
  },
  {
    rest: 'le_reste du_reste reste_de reste_du reste_des reste restant',
    other: 'restant-:,e,es,s autre autres',
    existing: 'existant-:,e,es,s précédent-:,e,es,s antérieur-:,e,es,s',
    whole:
      'code contenu texte fichier document documentation description page section configuration classe fonction méthode module script implémentation',
    part: 'lignes champs fonctions méthodes imports importations tests styles routes notes composants sections classes',
    unchanged:
      'inchangé-:,e,es,s omis omise omises non_modifié-:,e,es,s sans_changement sans_changements sans_modification sans_modifications inaltéré-:,e,es,s',
    same: 'identique identiques le_même la_même comme_avant reste restent demeure demeurent',
    fill: 'le la les l de du des d est sont tout tous toutes ici ce cette dans'
  },
  {
    rest: 'resto restante',
    other: 'restante restantes otro otra otros otras demás',
    existing: 'existente existentes anterior anteriores previo previa',
    whole:
      'código contenido texto archivo fichero documento documentación descripción página sección configuración clase función método módulo script implementación',
    part: 'líneas campos funciones métodos importaciones imports pruebas tests estilos rutas notas componentes secciones clases',
    unchanged:
      'sin_cambio sin_cambios sin_modificar sin_modificación sin_modificaciones sin_alterar inalterad-:o,a,os,as omitid-:o,a,os,as no_modificado',
    same: 'igual iguales idéntico lo_mismo el_mismo la_misma como_antes se_mantiene se_mantienen permanece permanecen queda quedan sigue siguen',
    fill: 'el la los las de del es son está están todo todos toda lo aquí que este esta en'
  },
  {
    rest: 'resto restante',
    other: 'restante restantes outro outra outros outras demais',
    existing: 'existente existentes anterior anteriores',
    whole:
      'código conteúdo texto arquivo ficheiro documento documentação descrição página seção secção configuração classe função método módulo script implementação',
    part: 'linhas campos funções métodos importações imports testes estilos rotas notas componentes seções classes',
    unchanged:
      'sem_alteração sem_alterações sem_mudança sem_mudanças sem_modificação sem_modificações inalterad-:o,a,os,as omitid-:o,a,os,as não_alterado',
    same: 'igual iguais idêntico o_mesmo a_mesma como_antes permanece permanecem mantém_se continua continuam fica ficam mantid-:o,a',
    fill: 'o a os as de do da dos das é são está estão todo todos tudo aqui que no na'
  },
  {
    rest: 'resto restante rimanente',
    other: 'restant-:e,i rimanent-:e,i altr-:o,a,i,e',
    existing: 'esistent-:e,i precedent-:e,i',
    whole:
      'codice contenuto testo file documento documentazione descrizione pagina sezione configurazione classe funzione metodo modulo script implementazione',
    part: 'righe campi funzioni metodi importazioni import test stili note componenti sezioni classi',
    unchanged:
      'invariat-:o,a,i,e inalterat-:o,a,i,e immutat-:o,a,i,e omess-:o,a,i,e senza_modifica senza_modifiche senza_cambiamenti non_modificato',
    same: 'uguale uguali identico lo_stesso la_stessa come_prima resta restano rimane rimangono',
    fill: 'il lo la i gli le l di del dello della dell dei degli delle è sono tutto tutti tutte qui'
  },
  {
    rest: 'rest overige resterende',
    other: 'overig-:,e resterend-:,e ander-:,e',
    existing: 'bestaand-:,e vorig-:e eerder-:,e oorspronkelijk-:,e',
    whole:
      'code inhoud tekst bestand document documentatie beschrijving omschrijving pagina sectie configuratie klasse functie methode module script implementatie',
    part: 'regels velden functies methoden imports tests stijlen routes notities componenten secties klassen',
    unchanged:
      'ongewijzigd-:,e onveranderd-:,e weggelaten niet_gewijzigd geen_wijzigingen zonder_wijzigingen',
    same: 'gelijk hetzelfde dezelfde zoals_voorheen blijft blijven',
    fill: 'de het een van is zijn wordt worden alles alle hier in'
  },
  {
    rest: 'reszta reszty resztę pozostała_część',
    other: 'pozostał-:y,a,e,ych,ej inne innych',
    existing: 'istniejąc-:y,a,e,ych,ej,ego poprzedni-:,a,e,ch,ej dotychczasow-:y,a,e,ych,ej',
    whole:
      'kod kodu treść treści zawartość zawartości tekst tekstu plik pliku dokument dokumentu dokumentacja dokumentacji opis opisu strona strony sekcja sekcji konfiguracja konfiguracji klasa klasy funkcja metoda moduł skrypt',
    part: 'linie wiersze pola funkcje metody importy testy style notatki komponenty sekcje',
    unchanged: 'bez_zmian niezmienion-:y,a,e,o pominięt-:y,a,e,o niezmienn-:y,a,e nie_zmieniono',
    same: 'taki_sam taka_sama takie_same takie_samo jak_wcześniej jak_poprzednio pozostaje pozostają zostaje',
    fill: 'jest są wszystko wszystkie tutaj z tej tego ten ta to'
  },
  {
    rest: 'geri_kalanı geri_kalan kalanı kalan_kısım kalan_kısmı gerisi',
    other: 'geri_kalanı geri_kalan kalanı kalan diğer',
    existing: 'mevcut önceki var_olan',
    whole:
      'kod kodu kodun içerik içeriği içeriğin metin metni metnin dosya dosyanın belge belgenin açıklama açıklamanın sayfa sayfanın bölüm bölümün yapılandırma sınıf fonksiyon yöntem modül kısım kısmı',
    part: 'satırlar alanlar fonksiyonlar yöntemler testler notlar bileşenler bölümler sınıflar',
    unchanged:
      'değişmedi değişmemiş değişmeden değiştirilmedi değişmemiştir değişiklik_yok atlandı çıkarıldı',
    same: 'aynı aynı_kalır aynı_kalıyor aynıdır önceki_gibi olduğu_gibi kalır kalıyor',
    fill: 've bu burada tüm bütün'
  },
  {
    rest: 'остальное оставшееся остальная_часть оставшаяся_часть остаток',
    other:
      'остальн-:ой,ая,ое,ые,ого,ых,ую оставш-:ийся,аяся,ееся,иеся друг-:ой,ая,ое,ие прочий прочее прочие',
    existing:
      'существующ-:ий,ая,ее,ие,его,их имеющ-:ийся,аяся,ееся,иеся прежн-:ий,яя,ее,ие предыдущ-:ий,ая,ее,ие',
    whole:
      'код кода содержимое содержимого содержание содержания текст текста файл файла документ документа документация документации описание описания страница страницы раздел раздела конфигурация конфигурации класс класса функция метод модуль скрипт реализация',
    part: 'строки поля функции методы импорты тесты стили заметки компоненты разделы классы',
    unchanged:
      'без_изменений без_изменения не_изменён не_изменена не_изменено не_изменилось не_изменился не_изменяется не_меняется неизменно опущен-:,а,о,ы пропущен-:,а,о,ы',
    same: 'тот_же то_же та_же так_же то_же_самое как_раньше как_прежде как_было как_есть остаётся остаются прежним',
    fill: 'весь вся всё все здесь далее этого в из'
  },
  {
    rest: 'باقي بقية الباقي البقية',
    other: 'باقي بقية المتبقي المتبقية الأخرى',
    existing: 'الموجود الموجودة موجود السابق السابقة الأصلي',
    whole:
      'النص نص المحتوى محتوى المحتويات الكود كود الشيفرة الملف ملف المستند الوثيقة الوصف وصف الصفحة القسم',
    part: 'الأسطر الحقول الدوال الاختبارات الأقسام',
    unchanged:
      'بدون_تغيير دون_تغيير بلا_تغيير بدون_تغييرات لم_يتغير لم_تتغير دون_تعديل بدون_تعديل محذوف محذوفة',
    same: 'كما_هو كما_هي كما_كان نفسه نفسها يبقى تبقى',
    fill: 'من هنا كل هو هي في'
  },
  {
    rest: 'शेष बाकी शेष_भाग',
    other: 'शेष बाकी अन्य',
    existing: 'मौजूदा पिछला पिछली मूल',
    whole: 'सामग्री कोड पाठ टेक्स्ट फ़ाइल विवरण दस्तावेज़ पृष्ठ अनुभाग',
    part: 'पंक्तियाँ फ़ील्ड फ़ंक्शन परीक्षण',
    unchanged: 'अपरिवर्तित बिना_बदलाव बिना_बदलाव_के बिना_परिवर्तन कोई_बदलाव_नहीं छोड़ा_गया छोड़_दिया_गया',
    same: 'समान वही यथावत पहले_जैसा पहले_जैसी ज्यों_का_त्यों',
    fill: 'का की के है हैं सब सभी यहाँ रहेगा रहेगी'
  },
  {
    rest: 'phần_còn_lại còn_lại',
    other: 'còn_lại khác',
    existing: 'hiện_có hiện_tại trước_đó ban_đầu cũ',
    whole: 'mã mã_nguồn code nội_dung văn_bản tệp tập_tin file mô_tả tài_liệu trang mục',
    part: 'dòng hàm phương_thức trường ghi_chú',
    unchanged: 'không_đổi không_thay_đổi giữ_nguyên lược_bỏ được_lược_bỏ đã_lược_bỏ',
    same: 'như_cũ như_trước',
    fill: 'của các phần vẫn được là ở đây tất_cả toàn_bộ'
  },
  {
    isUnspaced: true,
    rest: '其余 其餘 剩余 剩餘 余下 餘下 以下 其他部分 其它部分',
    other: '其余 其餘 剩余 剩餘 余下 餘下 其他 其它',
    existing: '现有 現有 原有 已有 既有 原来 原來 原始 之前 先前',
    whole:
      '内容 內容 代码 代碼 程式碼 文本 文字 正文 文件 檔案 文档 文檔 描述 说明 說明 页面 頁面 章节 章節 部分 配置 函数 函數 方法 模块 模組 实现 實現',
    part: '行 字段 欄位 导入 匯入 测试 測試 样式 樣式 组件 元件 路由',
    unchanged:
      '不变 不變 未变 未變 保持不变 保持不變 无变化 無變化 没有变化 沒有變化 无更改 未更改 未修改 未改动 省略 略 略去 从略 從略',
    same: '相同 同上 一样 一樣 照旧 照舊 保持原样 保持原樣 保留',
    fill: '的 与 與 和 均 都 全部 所有 此处 此處 保持 维持 維持 为 為 被'
  },
  {
    isUnspaced: true,
    rest: '残り 残りの部分 以下 以降 その他 それ以外 他 ほか',
    other: '残り その他 それ以外 他 ほか',
    existing: '既存 以前 従来 元',
    whole:
      'コード 内容 テキスト 文章 本文 ファイル 文書 ドキュメント 説明 説明文 記述 ページ セクション 設定 クラス 関数 メソッド モジュール 実装 部分 箇所',
    part: '行 フィールド インポート テスト スタイル コンポーネント ルート',
    unchanged:
      '変更なし 変更無し 変更ありません 変更はありません 変更しない 変更せず 変わらず 未変更 不変 省略 略 割愛 そのまま',
    same: '同じ 同様 同上 同一 以前と同じ 前と同じ',
    fill: 'の は も が を に と です すべて 全て ここ します'
  },
  {
    rest: '나머지-:,는,은,가,를 나머지_부분-:,은,이 이하 이하는',
    other: '나머지 나머지의 다른 기타 그_외',
    existing: '기존 기존의 이전 원래 원래의',
    whole:
      '내용-:,은,이,의 코드-:,는,가,의 텍스트-:,는 파일-:,은,의 문서-:,는,의 설명-:,은,의 본문-:,은,의 페이지 섹션 설정 클래스 함수 메서드 모듈 구현 부분-:,은,이',
    part: '줄 필드 함수들 테스트 스타일 컴포넌트 경로',
    unchanged:
      '변경_없음 변경없음 변경_없이 변경되지_않음 변동_없음 변함없음 수정_없음 생략 생략됨 그대로 유지',
    same: '동일 동일함 동일합니다 같음 이전과_동일 기존과_동일',
    fill: '모두 모든 전부 여기'
  }
]
