using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Moving;

/// <summary>Finds streams that a method creates empty, keeps to itself and disposes, so that their memory can come from a pool.</summary>
/// <remarks>
/// A <c>MemoryStream</c> differs in what stays after its disposal: the array of <c>GetBuffer</c> is never used again, and <c>ToArray</c>
/// still works. So a stream is not reported if its array is taken, or if it may be closed before <c>ToArray</c>.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MemoryStreamAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(MovingRules.Stream);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Tarn.PooledMemoryStream") is not null
                && start.Compilation.GetTypeByMetadataName("System.IO.MemoryStream") is { } stream)
            {
                start.RegisterSyntaxNodeAction(
                    context => Check(context, stream),
                    SyntaxKind.ObjectCreationExpression,
                    SyntaxKind.ImplicitObjectCreationExpression);
            }
        });
    }

    private static void Check(SyntaxNodeAnalysisContext context, INamedTypeSymbol stream)
    {
        BaseObjectCreationExpressionSyntax creation = (BaseObjectCreationExpressionSyntax)context.Node;
        if (creation.Initializer is null
            && creation.Parent is EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax declarator }
            && IsDisposed(declarator)
            && context.SemanticModel.GetSymbolInfo(creation, context.CancellationToken).Symbol is IMethodSymbol constructor
            && SymbolEqualityComparer.Default.Equals(constructor.ContainingType, stream)
            && IsEmptyAtFirst(constructor)
            && context.SemanticModel.GetDeclaredSymbol(declarator, context.CancellationToken) is ILocalSymbol local
            && new StreamUses(context, local, stream).AllAllowPooling(LocalNames.MethodOf(creation)))
        {
            context.ReportDiagnostic(
                Diagnostic.Create(MovingRules.Stream.WithPage(context.Options), creation.GetLocation(), local.Name));
        }
    }

    private static bool IsDisposed(VariableDeclaratorSyntax declarator) => declarator.Parent?.Parent switch
    {
        UsingStatementSyntax => true,
        LocalDeclarationStatementSyntax statement => statement.UsingKeyword.IsKind(SyntaxKind.UsingKeyword),
        _ => false,
    };

    private static bool IsEmptyAtFirst(IMethodSymbol constructor) =>
        constructor.Parameters.Length == 0
        || (constructor.Parameters.Length == 1 && constructor.Parameters[0].Type.SpecialType == SpecialType.System_Int32);

    /// <summary>What a method does with a stream.</summary>
    private sealed class StreamUses(SyntaxNodeAnalysisContext context, ILocalSymbol local, INamedTypeSymbol stream)
    {
        private bool _isCopiedToArray;
        private bool _mayBeClosed;

        /// <summary>Returns whether no use depends on what stays after the disposal.</summary>
        internal bool AllAllowPooling(SyntaxNode method) =>
            LocalNames.Of(local, method, context.SemanticModel, context.CancellationToken)
                .All(name => LocalNames.MethodOf(name) == method && Allows(name))
            && !(_isCopiedToArray && _mayBeClosed);

        private bool Allows(IdentifierNameSyntax name) => name.Parent switch
        {
            MemberAccessExpressionSyntax access when access.Expression == name => AllowsMember(access),
            ArgumentSyntax argument => AllowsArgument(argument),
            _ => false,
        };

        private bool AllowsMember(MemberAccessExpressionSyntax access)
        {
            switch (access.Name.Identifier.ValueText)
            {
                case "GetBuffer" or "TryGetBuffer" or "Capacity":
                    return false;
                case "ToArray":
                    _isCopiedToArray = true;
                    return true;
                case "Dispose" or "DisposeAsync" or "Close":
                    _mayBeClosed = true;
                    return true;
                default:
                    ISymbol? member = context.SemanticModel.GetSymbolInfo(access, context.CancellationToken).Symbol;
                    _mayBeClosed |= member is IMethodSymbol { IsExtensionMethod: true } && !IsOfFramework(member);
                    return member is IMethodSymbol or IPropertySymbol;
            }
        }

        private bool AllowsArgument(ArgumentSyntax argument)
        {
            if (!argument.RefKindKeyword.IsKind(SyntaxKind.None)
                || argument.Parent is not BaseArgumentListSyntax { Parent: { } call } arguments
                || context.SemanticModel.GetSymbolInfo(call, context.CancellationToken).Symbol is not IMethodSymbol method
                || ParameterOf(argument, arguments, method) is not { } parameter
                || SymbolEqualityComparer.Default.Equals(parameter.Type, stream))
            {
                return false;
            }

            bool leavesOpen = IsOfFramework(method) && (method.MethodKind != MethodKind.Constructor || LeavesOpen(arguments, method));
            _mayBeClosed |= !leavesOpen;
            return true;
        }

        private static IParameterSymbol? ParameterOf(ArgumentSyntax argument, BaseArgumentListSyntax arguments, IMethodSymbol method)
        {
            string? name = argument.NameColon?.Name.Identifier.ValueText;
            int place = arguments.Arguments.IndexOf(argument);
            return name is not null
                ? method.Parameters.FirstOrDefault(parameter => parameter.Name == name)
                : place < method.Parameters.Length ? method.Parameters[place] : null;
        }

        private static bool LeavesOpen(BaseArgumentListSyntax arguments, IMethodSymbol method) =>
            arguments.Arguments.Any(argument =>
                argument.Expression.IsKind(SyntaxKind.TrueLiteralExpression)
                && ParameterOf(argument, arguments, method)?.Name == "leaveOpen");

        /// <summary>
        /// Returns whether the base library declares a method. Its methods other than constructors close no stream passed in.
        /// </summary>
        private static bool IsOfFramework(ISymbol member) =>
            member.ContainingAssembly is { Name: var name }
            && (name == "mscorlib" || name == "netstandard" || name == "System" || name.StartsWith("System.", StringComparison.Ordinal));
    }
}
