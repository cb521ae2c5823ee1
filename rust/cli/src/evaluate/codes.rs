//! Which codes count as the same language, and groups of languages by name.

use langid::LangCode;
use std::collections::{BTreeMap, BTreeSet};

/// The preset `usual`: macrolanguages and their individual languages as corpora and identifiers label them, each under the first
/// code. Malay and Indonesian, and Bosnian, Croatian and Serbian, are each one; Norwegian without further notice is Bokmål;
/// CLD2's Kurdish (`ku`) is Sorani, for its tables hold Kurdish in Arabic script alone.
pub const USUAL: &str = "msa=ind/zsm/zlm,hbs=bos/hrv/srp/cnr,fas=pes/prs,nob=nor,est=ekk,lav=lvs,sqi=als/aln,swa=swh,\
    mon=khk,aze=azj,uzb=uzn,yid=ydd,orm=gaz,mlg=plt,zho=cmn,ara=arb,pus=pbt/pst/pbu,nep=npi,ori=ory,grn=gug,aym=ayr,\
    que=quy/quz,tgl=fil,hmn=mww/hnj,aka=twi,iku=ike,kln=niq,ckb=kur";

/// Codes that count as another one.
#[derive(Debug, Clone, Default)]
pub struct Joins {
    heads: BTreeMap<LangCode, LangCode>,
}

impl Joins {
    /// The code that a code counts as: itself unless it is joined to another.
    pub fn head(&self, code: LangCode) -> LangCode {
        self.heads.get(&code).copied().unwrap_or(code)
    }
}

impl std::str::FromStr for Joins {
    type Err = String;

    /// Reads `head=code/code,head=code`, `usual` in the place of a join, or `none`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut joins = Joins::default();
        if text == "none" {
            return Ok(joins);
        }
        let written = text.split(',').flat_map(|join| if join == "usual" { USUAL } else { join }.split(','));
        for join in written {
            let (head, members) = join
                .split_once('=')
                .ok_or_else(|| format!("join `{join}` is neither `usual` or `none` nor like `hbs=bos/hrv/srp`"))?;
            let head = language(head)?;
            for member in members.split('/') {
                let member = language(member)?;
                if member != head && joins.heads.insert(member, head).is_some_and(|other| other != head) {
                    return Err(format!("`{member}` is joined to two languages"));
                }
            }
        }
        match joins.heads.values().find(|head| joins.heads.contains_key(head)) {
            Some(head) => Err(format!("`{head}` is joined to another language and has languages joined to it")),
            None => Ok(joins),
        }
    }
}

/// Groups of languages that are hard to tell apart, by name.
const GROUPS: [(&str, &str); 2] = [
    ("arabic15", "urd,ara,fas,pus,snd,uig,ckb,pnb,skr,kas,bal,brh,trw,glk,hac"),
    ("uralic21", "fin,est,hun,sme,sma,smj,smn,sms,krl,olo,vep,vro,fkv,kpv,koi,udm,mhr,mrj,myv,mdf,yrk"),
];

/// Reads language codes with commas between them, or the name of a group in the place of a code.
pub fn languages(text: &str) -> Result<BTreeSet<LangCode>, String> {
    let group = |name: &str| GROUPS.into_iter().find(|(group, _)| *group == name).map(|(_, codes)| codes);
    let codes = text.split(',').flat_map(|code| group(code).unwrap_or(code).split(','));
    codes.map(language).collect()
}

fn language(code: &str) -> Result<LangCode, String> {
    match code.parse::<LangCode>() {
        Ok(LangCode::UND) => Err("`und` is no language".to_owned()),
        Ok(code) => Ok(code),
        Err(unknown) => Err(unknown.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn code(code: &str) -> LangCode {
        code.parse().unwrap()
    }

    #[test]
    fn joined_codes_count_as_the_first() {
        let joins: Joins = "usual,urd=kas".parse().unwrap();
        for (member, head) in
            [("ind", "msa"), ("hrv", "hbs"), ("prs", "fas"), ("kur", "ckb"), ("kas", "urd"), ("eng", "eng")]
        {
            assert_eq!(joins.head(code(member)), code(head));
        }
    }

    #[test]
    fn joins_that_cannot_be_are_refused() {
        let refused = |text: &str| text.parse::<Joins>().unwrap_err();
        assert_eq!(refused("hbs"), "join `hbs` is neither `usual` or `none` nor like `hbs=bos/hrv/srp`");
        assert!(refused("hbs=xyzzy").starts_with("language code `xyzzy` is unknown"));
        assert_eq!(refused("hbs=srp,slv=srp"), "`srp` is joined to two languages");
        assert_eq!(refused("msa=ind,zsm=msa"), "`msa` is joined to another language and has languages joined to it");
    }

    #[test]
    fn groups_stand_for_their_languages() {
        assert_eq!(languages("arabic15").unwrap().len(), 15);
        assert_eq!(languages("uralic21,urd").unwrap().len(), 22);
        assert_eq!(languages("ur,urd").unwrap(), [code("urd")].into());
        assert!(languages("arabic16").unwrap_err().contains("`arabic16` is unknown"));
        assert!(languages("urd,und").is_err());
    }
}
