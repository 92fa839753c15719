"""The texts of the sandbox pages in each language."""

from typing import NamedTuple


class PageTexts(NamedTuple):
    """The texts of the pages in one language; ``instruments`` and ``endings`` are keyed by enum values."""

    language: str
    languages: str
    title: str
    notice: str
    reference: str
    open_until: str
    becomes_default: str
    yes: str
    no: str
    method: str
    instrument: str
    instruments: dict[str, str]
    succeed: str
    decline: str
    cancel: str
    back: str
    endings: dict[str, str]
    confirmation: str
    amount: str
    confirm: str
    refuse: str
    unknown_payment: str
    unknown: str
    faulty: str
    unavailable: str


TEXTS = {
    "en": PageTexts(
        language="English",
        languages="Language",
        title="Add a payment method",
        notice="This is a test. No money is moved and no real card is needed.",
        reference="Reference",
        open_until="Open until",
        becomes_default="Use as default",
        yes="yes",
        no="no",
        method="Method",
        instrument="Result of the test payment",
        instruments={
            "pays": "is paid immediately",
            "reserves": "is authorized now and captured later",
            "declines": "is declined at payment",
            "waits": "does not respond yet",
            "confirms": "requires confirmation (3-D Secure)",
        },
        succeed="Register",
        decline="Decline",
        cancel="Cancel",
        back="Back to the shop",
        endings={
            "ACTIVE": "The payment method was added.",
            "DECLINED": "The payment method was declined.",
            "CANCELLED": "Adding the payment method was cancelled.",
            "EXPIRED": "This page has expired.",
        },
        confirmation="Confirm payment",
        amount="Amount",
        confirm="Confirm",
        refuse="Refuse",
        unknown_payment="This payment does not exist or has ended.",
        unknown="This page does not exist.",
        faulty="This form is incomplete or was not sent from its page. Nothing was changed.",
        unavailable="The service is currently unavailable. Nothing was changed. Please try again.",
    ),
    "de": PageTexts(
        language="Deutsch",
        languages="Sprache",
        title="Zahlungsmittel hinterlegen",
        notice="Dies ist ein Test. Es fliesst kein Geld, und es braucht keine echte Karte.",
        reference="Referenz",
        open_until="Offen bis",
        becomes_default="Wird zum Standard",
        yes="ja",
        no="nein",
        method="Zahlungsart",
        instrument="Was das Testmittel tut",
        instruments={
            "pays": "zahlt sofort",
            "reserves": "reserviert den Betrag, der später bezogen wird",
            "declines": "wird beim Bezahlen abgelehnt",
            "waits": "antwortet vorerst nicht",
            "confirms": "verlangt eine Bestätigung (3-D Secure)",
        },
        succeed="Hinterlegen",
        decline="Ablehnen",
        cancel="Abbrechen",
        back="Zurück zum Shop",
        endings={
            "ACTIVE": "Das Zahlungsmittel ist hinterlegt.",
            "DECLINED": "Das Zahlungsmittel wurde abgelehnt.",
            "CANCELLED": "Die Hinterlegung wurde abgebrochen.",
            "EXPIRED": "Die Hinterlegung ist abgelaufen.",
        },
        confirmation="Zahlung bestätigen",
        amount="Betrag",
        confirm="Bestätigen",
        refuse="Ablehnen",
        unknown_payment="Diese Zahlung gibt es nicht, oder sie ist abgeschlossen.",
        unknown="Diese Hinterlegung gibt es nicht.",
        faulty="Dieses Formular kam nicht von seiner Seite oder nicht vollständig. Es wurde nichts geändert.",
        unavailable="Der Dienst ist gerade nicht verfügbar. Nichts wurde geändert: bitte gleich noch einmal.",
    ),
    "fr": PageTexts(
        language="Français",
        languages="Langue",
        title="Enregistrer un moyen de paiement",
        notice="Ceci est un test. Aucun argent n’est transféré, aucune vraie carte n’est nécessaire.",
        reference="Référence",
        open_until="Ouvert jusqu’au",
        becomes_default="Devient le moyen par défaut",
        yes="oui",
        no="non",
        method="Mode de paiement",
        instrument="Ce que fait le moyen de test",
        instruments={
            "pays": "paie aussitôt",
            "reserves": "réserve le montant, prélevé plus tard",
            "declines": "est refusé au moment de payer",
            "waits": "ne répond pas pour l’instant",
            "confirms": "demande une confirmation (3-D Secure)",
        },
        succeed="Enregistrer",
        decline="Refuser",
        cancel="Annuler",
        back="Retour à la boutique",
        endings={
            "ACTIVE": "Le moyen de paiement est enregistré.",
            "DECLINED": "Le moyen de paiement a été refusé.",
            "CANCELLED": "L’enregistrement a été annulé.",
            "EXPIRED": "L’enregistrement a expiré.",
        },
        confirmation="Confirmer le paiement",
        amount="Montant",
        confirm="Confirmer",
        refuse="Refuser",
        unknown_payment="Ce paiement n’existe pas ou est terminé.",
        unknown="Cet enregistrement n’existe pas.",
        faulty="Ce formulaire n’a pas été envoyé de sa page, ou pas en entier. Rien n’a été modifié.",
        unavailable="Le service n’est pas disponible. Rien n’a été modifié: réessayez dans un instant.",
    ),
    "it": PageTexts(
        language="Italiano",
        languages="Lingua",
        title="Registrare un mezzo di pagamento",
        notice="Questa è una prova. Non si sposta denaro e non serve una carta vera.",
        reference="Riferimento",
        open_until="Aperto fino al",
        becomes_default="Diventa il predefinito",
        yes="sì",
        no="no",
        method="Metodo di pagamento",
        instrument="Che cosa fa il mezzo di prova",
        instruments={
            "pays": "paga subito",
            "reserves": "riserva l’importo, prelevato più tardi",
            "declines": "viene rifiutato al momento di pagare",
            "waits": "per ora non risponde",
            "confirms": "chiede una conferma (3-D Secure)",
        },
        succeed="Registrare",
        decline="Rifiutare",
        cancel="Annullare",
        back="Torna al negozio",
        endings={
            "ACTIVE": "Il mezzo di pagamento è registrato.",
            "DECLINED": "Il mezzo di pagamento è stato rifiutato.",
            "CANCELLED": "La registrazione è stata annullata.",
            "EXPIRED": "La registrazione è scaduta.",
        },
        confirmation="Confermare il pagamento",
        amount="Importo",
        confirm="Confermare",
        refuse="Rifiutare",
        unknown_payment="Questo pagamento non esiste o è concluso.",
        unknown="Questa registrazione non esiste.",
        faulty="Questo modulo non è stato inviato dalla sua pagina, o non per intero. Nulla è cambiato.",
        unavailable="Il servizio non è disponibile ora. Nulla è stato modificato: riprovi tra poco.",
    ),
}
"""The texts of the pages, keyed by language code."""
