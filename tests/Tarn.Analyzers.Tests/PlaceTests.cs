using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>The analyzers look into lambdas wherever C# allows an expression.</summary>
public sealed class PlaceTests
{
    private const string Top = "using System;\nConsole.WriteLine(Mark.Of(1));\nreturn Mark.Of(2);\n";

    private const string Filed = "namespace Filed;\ninternal static class Places { internal static int Number = Mark.Of(1); }\n";

    private const string Misuse =
        "System.Buffers.ArrayPool<byte>.Shared.Rent(1); System.Buffers.ArrayPool<byte>.Shared.Return(rented{0}); "
        + "System.Buffers.ArrayPool<byte>.Shared.Return(rented{0}); ";

    /// <summary>The properties whose expressions are constants or types, and those that only code with errors has.</summary>
    private static readonly HashSet<string> s_without =
    [
        "AnonymousMethodExpression.ExpressionBody", "EnumDeclaration.BaseList", "ExtensionBlockDeclaration.BaseList",
        "ForEachVariableStatement.Variable", "GotoStatement.Expression", "InterfaceDeclaration.BaseList", "StructDeclaration.BaseList",
        "UnionDeclaration.BaseList", "VariableDeclarator.ArgumentList",
    ];

    /// <summary>The types of nodes that hold only names, types and constants.</summary>
    private static readonly Type[] s_constant =
    [
        typeof(TypeSyntax), typeof(PatternSyntax), typeof(AttributeListSyntax), typeof(AttributeSyntax),
        typeof(AttributeArgumentListSyntax), typeof(AttributeArgumentSyntax), typeof(BaseParameterListSyntax), typeof(BaseParameterSyntax),
        typeof(TypeParameterListSyntax), typeof(BaseExpressionColonSyntax), typeof(InterpolationAlignmentClauseSyntax),
        typeof(EnumMemberDeclarationSyntax), typeof(CaseSwitchLabelSyntax), typeof(StructuredTriviaSyntax),
    ];

    private static readonly Lazy<HashSet<Type>> s_holders = new(FindHolders);

    [Fact]
    public async Task Finds_misuse_in_lambdas_at_every_place()
    {
        SyntaxTree[] trees = [Plant(await ReadAsync(), "Places.cs"), Plant(Top, "Top.cs"), Plant(Filed, "Filed.cs")];
        CSharpCompilation compilation = Analyzed.Compile(trees, OutputKind.ConsoleApplication);
        Analyzed.AssertCompiles(compilation);
        HashSet<string> found =
        [
            .. (await Analyzed.GetDiagnosticsAsync(compilation)).Where(static one => one.Id == "TARN001")
                .Select(static one => NameAt(one.Location)),
        ];
        string[] missed =
        [
            .. trees.SelectMany(static tree => tree.GetRoot().DescendantNodes().OfType<VariableDeclaratorSyntax>())
                .Where(one => one.Identifier.ValueText.StartsWith("rented", StringComparison.Ordinal)
                    && !found.Contains(one.Identifier.ValueText))
                .Select(static one => one.FirstAncestorOrSelf<InvocationExpressionSyntax>()!.Parent!.ToString()),
        ];
        Assert.True(missed.Length == 0, string.Join('\n', missed));
    }

    [Fact]
    public async Task Every_property_of_the_syntax_with_an_expression_is_among_the_places()
    {
        HashSet<string> seen = [.. new[] { await ReadAsync(), Top, Filed }.SelectMany(static one => PropertiesWithMarks(Parse(one)))];
        string[] all = [.. Properties()];
        Assert.Equal(string.Join('\n', all.Except(seen)), string.Join('\n', s_without.Order(StringComparer.Ordinal)));
    }

    private static Task<string> ReadAsync() => File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "Cases", "Places.cs"));

    private static SyntaxNode Parse(string source) => Analyzed.Parse(source, "Places.cs").GetRoot();

    /// <summary>Puts a lambda with misuse in the place of each mark.</summary>
    private static SyntaxTree Plant(string source, string path)
    {
        SyntaxNode root = Parse(source);
        int number = 0;
        SyntaxNode planted = root.ReplaceNodes(
            root.DescendantNodes().Where(IsMark),
            (_, mark) =>
            {
                string name = $"{Path.GetFileNameWithoutExtension(path)}{number++}";
                string misuse = Misuse.Replace("{0}", name, StringComparison.Ordinal);
                InvocationExpressionSyntax call = (InvocationExpressionSyntax)mark;
                ArgumentSyntax lambda = SyntaxFactory.Argument(SyntaxFactory.ParseExpression($"() => {{ byte[] rented{name} = {misuse}}}"));
                return call.WithArgumentList(call.ArgumentList.AddArguments(lambda.WithLeadingTrivia(SyntaxFactory.Space)));
            });
        string text = planted.ToFullString().Replace(
            "T Of<T>(T value) => value;", "T Of<T>(T value, System.Action misuse) => value;", StringComparison.Ordinal);
        return Analyzed.Parse(text, path);
    }

    private static bool IsMark(SyntaxNode node) =>
        node is InvocationExpressionSyntax
        {
            Expression: MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "Mark" } },
        };

    private static string NameAt(Location location) =>
        ((InvocationExpressionSyntax)location.SourceTree!.GetRoot().FindNode(location.SourceSpan, getInnermostNodeForTie: true))
            .ArgumentList.Arguments[0].ToString();

    /// <summary>The properties by which nodes hold a mark.</summary>
    private static IEnumerable<string> PropertiesWithMarks(SyntaxNode root) =>
        from mark in root.DescendantNodes().Where(IsMark)
        from node in mark.AncestorsAndSelf()
        where node.Parent is not null
        from property in PropertiesOf(node.Parent!.GetType())
        where HoldersIn(property.GetValue(node.Parent)).Any(held => held == node)
        select NameOf(property);

    private static IEnumerable<SyntaxNode> HoldersIn(object? value) => value switch
    {
        SyntaxNode node => [node],
        IEnumerable<SyntaxNode> nodes => nodes,
        _ => [],
    };

    private static IEnumerable<string> Properties() =>
        s_holders.Value.Where(static type => !type.IsAbstract).SelectMany(PropertiesOf).Select(NameOf)
            .Distinct().Order(StringComparer.Ordinal);

    private static string NameOf(PropertyInfo property) => $"{property.ReflectedType!.Name.Replace("Syntax", "")}.{property.Name}";

    /// <summary>The properties of a node that can hold an expression.</summary>
    private static IEnumerable<PropertyInfo> PropertiesOf(Type type) =>
        type.GetProperties().Where(static property => property.Name is not "Parent" && s_holders.Value.Contains(HeldBy(property)));

    private static Type HeldBy(PropertyInfo property) =>
        property.PropertyType.IsGenericType ? property.PropertyType.GenericTypeArguments[0] : property.PropertyType;

    /// <summary>The types of nodes that are expressions, or hold them. Names and types are no expressions here.</summary>
    private static HashSet<Type> FindHolders()
    {
        Type[] types =
        [
            .. typeof(ExpressionSyntax).Assembly.GetTypes().Where(static type =>
                type.IsPublic && type.IsSubclassOf(typeof(CSharpSyntaxNode)) && !s_constant.Any(one => one.IsAssignableFrom(type))),
        ];
        HashSet<Type> holders = [.. types.Where(static type => typeof(ExpressionSyntax).IsAssignableFrom(type))];
        int before;
        do
        {
            before = holders.Count;
            holders.UnionWith(types.Where(type =>
                type.GetProperties().Any(property => property.Name is not "Parent" && holders.Contains(HeldBy(property)))
                || holders.Any(holder => holder.IsSubclassOf(type) && type != typeof(CSharpSyntaxNode))));
        }
        while (holders.Count > before);
        return holders;
    }
}
