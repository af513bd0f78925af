using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Known;

/// <summary>Recognizes secrets in buffers: cryptography that writes or takes one, and names.</summary>
/// <remarks>Ciphertexts, hashes, signatures and public keys are not secrets.</remarks>
internal static class Secrets
{
    /// <summary>Parameters that take a secret unencrypted.</summary>
    private static readonly ImmutableHashSet<string> s_keys =
        ImmutableHashSet.Create(StringComparer.Ordinal, "key", "ikm", "prk", "password", "passwordBytes", "sharedSecret");

    /// <summary>Parts of names that denote a secret without an option, unless another part denotes the opposite.</summary>
    private static readonly ImmutableArray<string> s_names =
        ImmutableArray.Create("password", "passphrase", "privatekey", "secretkey", "sharedsecret", "credential");

    private static readonly ImmutableArray<string> s_harmless = ImmutableArray.Create("hash", "encrypt", "protect", "public", "salt");

    /// <summary>Returns whether a buffer contains a secret after it was passed.</summary>
    internal static bool IsMadeBy(IMethodSymbol method, IParameterSymbol parameter)
    {
        if (KnownSymbols.IsSensitive(parameter))
        {
            return true;
        }

        if (!KnownSymbols.IsOfBaseLibrary(method) || !Namespaces.Is(method.ContainingNamespace, "System.Security.Cryptography"))
        {
            return false;
        }

        return s_keys.Contains(parameter.Name) || (IsTarget(parameter) && WritesSecret(method.Name));
    }

    /// <summary>Returns whether a name denotes a secret, by itself or because an option says so.</summary>
    internal static bool IsName(string name, ImmutableHashSet<string> added) =>
        added.Any(part => Contains(name, part))
        || (s_names.Any(part => Contains(name, part)) && !s_harmless.Any(part => Contains(name, part)));

    private static bool IsTarget(IParameterSymbol parameter) =>
        parameter.Name == "plaintext" || (parameter.Type.Name == "Span" && parameter.Name is "destination" or "output" or "prk");

    private static bool WritesSecret(string method) =>
        method.StartsWith("Decrypt", StringComparison.Ordinal)
        || method.StartsWith("TryDecrypt", StringComparison.Ordinal)
        || method is "Pbkdf2" or "DeriveKey" or "Expand" or "Extract" or "DeriveRawSecretAgreement" or "Unprotect" or "TryUnprotect"
        || (Contains(method, "Export") && Contains(method, "Private") && !Contains(method, "Encrypted"));

    private static bool Contains(string text, string part) => text.IndexOf(part, StringComparison.OrdinalIgnoreCase) >= 0;
}
