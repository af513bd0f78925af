using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Tests.Tidy;

/// <summary>The members that documents name as <c>Type.Member</c>, and those that the sources declare.</summary>
internal sealed partial class DocumentedMembers
{
    private readonly Dictionary<string, HashSet<string>> _members = [];

    /// <summary>The types whose base is declared elsewhere: their inherited members are not known.</summary>
    private readonly Dictionary<string, HashSet<string>> _bases = [];

    internal DocumentedMembers(IEnumerable<string> sources)
    {
        foreach (string source in sources)
        {
            IEnumerable<BaseTypeDeclarationSyntax> types =
                CSharpSyntaxTree.ParseText(source).GetRoot().DescendantNodes().OfType<BaseTypeDeclarationSyntax>();
            foreach (BaseTypeDeclarationSyntax type in types)
            {
                Add(type);
            }
        }
    }

    /// <summary>The members of a document that their type does not have. Code blocks and types of others do not count.</summary>
    internal IEnumerable<string> FindMissing(string document)
    {
        bool isFenced = false;
        foreach (string line in document.Split('\n'))
        {
            isFenced ^= line.StartsWith("```", StringComparison.Ordinal);
            foreach (Match match in isFenced ? [] : Member().Matches(line).AsEnumerable())
            {
                (string type, string member) = (match.Groups["type"].Value, match.Groups["member"].Value);
                if (_members.ContainsKey(type) && !Has(type, member))
                {
                    yield return $"{type}.{member}";
                }
            }
        }
    }

    private bool Has(string type, string member)
    {
        if (!_members.TryGetValue(type, out HashSet<string>? members))
        {
            // A type of others, whose members only the compiler knows.
            return true;
        }

        return members.Contains(member) || (_bases.TryGetValue(type, out HashSet<string>? bases) && bases.Any(above => Has(above, member)));
    }

    private void Add(BaseTypeDeclarationSyntax type)
    {
        string name = type.Identifier.Text;
        HashSet<string> members = _members.TryGetValue(name, out HashSet<string>? known) ? known : _members[name] = [];
        members.UnionWith(type switch
        {
            EnumDeclarationSyntax values => values.Members.Select(static value => value.Identifier.Text),
            TypeDeclarationSyntax declared => declared.Members.SelectMany(NamesOf)
                .Concat(declared.ParameterList?.Parameters.Select(static parameter => parameter.Identifier.Text) ?? []),
            _ => [],
        });
        foreach (BaseTypeSyntax above in type.BaseList?.Types ?? [])
        {
            if (!_bases.TryGetValue(name, out HashSet<string>? bases))
            {
                _bases[name] = bases = [];
            }

            bases.Add(above.Type.ToString().Split('<')[0].Split('.')[^1]);
        }
    }

    private static IEnumerable<string> NamesOf(MemberDeclarationSyntax member) => member switch
    {
        BaseFieldDeclarationSyntax field => field.Declaration.Variables.Select(static variable => variable.Identifier.Text),
        MethodDeclarationSyntax method => [method.Identifier.Text],
        PropertyDeclarationSyntax property => [property.Identifier.Text],
        EventDeclarationSyntax raised => [raised.Identifier.Text],
        BaseTypeDeclarationSyntax inner => [inner.Identifier.Text],
        DelegateDeclarationSyntax inner => [inner.Identifier.Text],
        _ => [],
    };

    [GeneratedRegex(@"`(?<type>[A-Z]\w+)(<[^`>]*>)?\.(?<member>[A-Z]\w*)(?=[`(<\[ .,])")]
    private static partial Regex Member();
}
