using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Tests.Tidy;

/// <summary>House rules for one source file. Each returns the violations it found.</summary>
internal static partial class SourceRules
{
    private const int MaxLines = 400;

    private const int MaxMethodLines = 60;

    /// <summary>Words that do not describe a type; the glossary has better ones.</summary>
    private static readonly string[] s_emptyWords = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities"];

    private static readonly string[] s_imports = ["DllImport", "LibraryImport", "DllImportAttribute", "LibraryImportAttribute"];

    /// <summary>The folders whose waits no interrupt ends.</summary>
    private static readonly string[] s_uninterrupted = ["src/Tarn/", "src/Tarn.SharedMemory/"];

    /// <summary>Questions to the runtime that it answers under a lock of its own.</summary>
    private static readonly string[] s_locking =
        ["AppContext.TryGetSwitch", "AppContext.GetData", "AppContext.SetSwitch", "Environment.GetEnvironmentVariable"];

    [ThreadStatic]
    private static (string Text, SyntaxNode Root) t_parsed;

    internal static IEnumerable<string> FindLength(string path, string text)
    {
        int lines = text.AsSpan().TrimEnd('\n').Count('\n') + 1;
        return lines > MaxLines ? [$"{path} has {lines} lines, more than {MaxLines}"] : [];
    }

    /// <summary>From its attributes to its last brace; functions inside count as part of it.</summary>
    internal static IEnumerable<string> FindLongMethods(string path, string text) =>
        from method in Parse(text).DescendantNodes(IsOutsideMembers).OfType<BaseMethodDeclarationSyntax>()
        let span = method.GetLocation().GetLineSpan()
        let lines = span.EndLinePosition.Line - span.StartLinePosition.Line + 1
        where lines > MaxMethodLines
        let name = (method as MethodDeclarationSyntax)?.Identifier.Text ?? method.Kind().ToString()
        select $"{path} line {span.StartLinePosition.Line + 1}: {name} has {lines} lines, more than {MaxMethodLines}";

    /// <summary>A clock that someone sets may jump: the library waits and counts by those that only go forward.</summary>
    internal static IEnumerable<string> FindWallClocks(string path, string text) =>
        from node in Parse(text).DescendantNodes().OfType<MemberAccessExpressionSyntax>()
        where node.Name.Identifier.Text is "GetUtcNow" or "GetLocalNow"
            || (node.Name.Identifier.Text is "Now" or "UtcNow"
                && node.Expression.ToString().Split('.')[^1] is nameof(DateTime) or nameof(DateTimeOffset))
        select $"{path} line {LineOf(node)}: {node} may jump; use Environment.TickCount64 or Stopwatch";

    /// <summary>The operating system is called from Platform only, of the library or of the sanitizer.</summary>
    internal static IEnumerable<string> FindNativeCalls(string path, string text)
    {
        if (path.Split('/') is ["src", _, "Platform", ..])
        {
            yield break;
        }

        foreach (SyntaxNode node in Parse(text).DescendantNodes())
        {
            string? what = node switch
            {
                AttributeSyntax attribute when s_imports.Contains(LastName(attribute.Name)) => attribute.Name.ToString(),
                MethodDeclarationSyntax method when method.Modifiers.Any(SyntaxKind.ExternKeyword) => "extern",
                SimpleNameSyntax { Identifier.Text: "NativeLibrary" or "OperatingSystem" } name => name.Identifier.Text,
                _ => null,
            };
            if (what is not null)
            {
                yield return $"{path} line {LineOf(node)}: {what} belongs in Platform";
            }
        }
    }

    /// <summary>
    /// Bytes at addresses are copied by <see cref="BufferCopy"/>: the runtime's copy has slow places on some processors, which that avoids.
    /// </summary>
    internal static IEnumerable<string> FindCopiesOfAddresses(string path, string text) =>
        from node in Parse(text).DescendantNodes().OfType<MemberAccessExpressionSyntax>()
        where !path.StartsWith("src/Tarn/Copying/", StringComparison.Ordinal)
            && node.ToString() is "Buffer.MemoryCopy" or "NativeMemory.Copy" or "Unsafe.CopyBlock" or "Unsafe.CopyBlockUnaligned"
        select $"{path} line {LineOf(node)}: {node} has slow places; use BufferCopy.Copy";

    /// <summary>Locks are held with <see cref="Uninterrupted.Hold"/>, so that an interrupt leaves no half of a change behind.</summary>
    internal static IEnumerable<string> FindInterruptibleLocks(string path, string text)
    {
        bool isConcerned = s_uninterrupted.Any(folder => path.StartsWith(folder, StringComparison.Ordinal));
        return !isConcerned || path.EndsWith("/Uninterrupted.cs", StringComparison.Ordinal)
            ? []
            : from node in Parse(text).DescendantNodes()
              where node is LockStatementSyntax or IdentifierNameSyntax { Identifier.Text: "EnterScope" or "Monitor" }
              select $"{path} line {LineOf(node)}: an interrupt ends the wait for this lock; take it with using (….Hold())";
    }

    /// <summary>What the runtime does under a lock of its own is called through <see cref="Uninterrupted"/>.</summary>
    internal static IEnumerable<string> FindInterruptibleCalls(string path, string text) =>
        from node in Parse(text).DescendantNodes().OfType<MemberAccessExpressionSyntax>()
        where s_uninterrupted.Any(folder => path.StartsWith(folder, StringComparison.Ordinal)) && s_locking.Contains(node.ToString())
            && !node.Ancestors().OfType<InvocationExpressionSyntax>()
                .Any(call => call.Expression.ToString().StartsWith("Uninterrupted.", StringComparison.Ordinal))
        select $"{path} line {LineOf(node)}: an interrupt ends {node}; call it through Uninterrupted";

    /// <summary>One public type a file, and the file is named after it, alone or followed by the reason of a split.</summary>
    internal static IEnumerable<string> FindMisnamedTypes(string path, string text)
    {
        string file = Path.GetFileNameWithoutExtension(path);
        string[] types = [.. PublicTypes(Parse(text)).Distinct()];
        if (types.Length > 1)
        {
            yield return $"{path} has {types.Length} public types: {string.Join(", ", types)}";
        }
        else if (types.Length == 1 && file != types[0] && !file.StartsWith(types[0] + ".", StringComparison.Ordinal))
        {
            yield return $"{path} holds the public type {types[0]}";
        }
    }

    internal static IEnumerable<string> FindEmptyWords(string path, string text) =>
        from node in Parse(text).DescendantNodes(IsOutsideMembers)
        let name = (node as BaseTypeDeclarationSyntax)?.Identifier.Text ?? (node as DelegateDeclarationSyntax)?.Identifier.Text
        where name is not null && WordPattern().Matches(name).Any(word => s_emptyWords.Contains(word.Value))
        select $"{path}: the type name {name} has a word that says nothing";

    /// <summary>A share of a whole is less than one; what a whole is divided by is a divisor.</summary>
    internal static IEnumerable<string> FindDivisorsCalledShares(string path, string text) =>
        from field in Parse(text).DescendantNodes(IsOutsideMembers).OfType<FieldDeclarationSyntax>()
        where field.Modifiers.Any(SyntaxKind.ConstKeyword) && field.Declaration.Type.ToString() is "int" or "long"
        from variable in field.Declaration.Variables
        where WordPattern().Matches(variable.Identifier.Text).Any(static word => word.Value == "Share")
        select $"{path}: {variable.Identifier.Text} is a divisor";

    /// <summary>Open work belongs in an issue, not in a comment.</summary>
    internal static IEnumerable<string> FindUnfinished(string path, string text) =>
        from match in UnfinishedPattern().Matches(text)
        select $"{path}: {match.Value} at {text.AsSpan(0, match.Index).Count('\n') + 1}";

    /// <summary>Missing documentation is a build error unless a project disables that.</summary>
    internal static IEnumerable<string> FindSuppressedDocumentation(string path, string text) =>
        MissingDocumentationPattern().IsMatch(text) ? [$"{path} turns the check for missing documentation off"] : [];

    private static IEnumerable<string> PublicTypes(SyntaxNode root) =>
        from node in root.DescendantNodes(static node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax)
        let member = node as MemberDeclarationSyntax
        where member is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax && member.Modifiers.Any(SyntaxKind.PublicKeyword)
        select (member as BaseTypeDeclarationSyntax)?.Identifier.Text ?? ((DelegateDeclarationSyntax)member).Identifier.Text;

    /// <summary>The same text is parsed once for all rules that follow each other.</summary>
    private static SyntaxNode Parse(string text)
    {
        if (!ReferenceEquals(t_parsed.Text, text))
        {
            t_parsed = (text, CSharpSyntaxTree.ParseText(text, new CSharpParseOptions(LanguageVersion.Preview)).GetRoot());
        }

        return t_parsed.Root;
    }

    /// <summary>Whether types and members may stand in a node; the bodies of members, which are most of a file, need no look.</summary>
    private static bool IsOutsideMembers(SyntaxNode node) =>
        node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax or TypeDeclarationSyntax;

    private static string LastName(NameSyntax name) =>
        name is QualifiedNameSyntax qualified ? qualified.Right.Identifier.Text : name.ToString();

    private static int LineOf(SyntaxNode node) => node.GetLocation().GetLineSpan().StartLinePosition.Line + 1;

    [GeneratedRegex("[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")]
    private static partial Regex WordPattern();

    [GeneratedRegex(@"\b(TO" + @"DO|FIX" + @"ME|HA" + @"CK|XX" + @"X)\b")]
    private static partial Regex UnfinishedPattern();

    [GeneratedRegex("CS" + "159[01]|GenerateDocumentationFile>\\s*false")]
    private static partial Regex MissingDocumentationPattern();
}
