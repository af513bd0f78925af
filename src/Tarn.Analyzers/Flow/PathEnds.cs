using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Answers what is wrong where a path ends: buffers that it loses, and those that leave the method although they were returned.
/// </summary>
internal sealed class PathEnds(
    MethodContext context, ValueLookup values, BufferStores stores, ResourceTransitions transitions, OversizedUses oversized)
{
    /// <summary>Returns a value to the caller; only finally blocks follow on the path.</summary>
    internal void Return(IOperation operation, Value value, FlowState state)
    {
        transitions.Use(operation, value, state);
        if (operation.Syntax.Parent is RefExpressionSyntax && values.ReferenceTo(operation, state) is { IsOfResource: true } exposed)
        {
            value = exposed;
        }

        state.Result = value;
        context.Evidence.RecordResult(value, operation.Syntax);
        if (!(value.Kind == ValueKind.Part && KeptParts.LeadsNowhere(operation.Type, context.Resources[value.Resource])))
        {
            state.Escape(value);
        }
    }

    /// <summary>Records where a block leaves the method.</summary>
    internal void Place(BasicBlock block)
    {
        SyntaxNode? last = block.BranchValue?.Syntax ?? block.Operations.LastOrDefault()?.Syntax;
        if (last is not null)
        {
            context.Exits.Place(block.Ordinal, last);
        }
    }

    /// <summary>Ends a path at the exit of the method.</summary>
    internal void Leave(FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            if (resource.IsReturned)
            {
                context.Origins.EndClean(resource.Origin);
            }
        }

        Depart(state, static _ => true);
        CheckResult(state);
        stores.CheckAtEnd(state);
        CheckCallersVariables(state, isOfRent: false);
    }

    /// <summary>Leaves the scope of local variables, and loses the buffers that only they hold.</summary>
    internal void LeaveScope(HashSet<string> locals, int exit, FlowState state)
    {
        List<Departure> departures = [];
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            ResourceInfo info = context.Resources[i];
            if (info.Rent is not null
                && resource.Status != ResourceStatus.Untracked
                && context.Resources.TargetsOf(i).Overlaps(locals))
            {
                bool isLost = state.IsLost(i) && !context.Variables.AreHolding(i, state, locals);
                departures.Add(new Departure(info, info, isLost, resource.IsReturned, resource.Borrowers));
            }
        }

        context.Exits.Leave(exit, departures);
    }

    /// <summary>Ends a path with an exception that leaves the method.</summary>
    /// <param name="state">The state.</param>
    /// <param name="isOfRent">Whether a rent threw it, which happens only when memory runs out.</param>
    /// <param name="isVisible">Whether a throw statement of the method did, which is an exit that a reader sees.</param>
    internal void LeaveByException(FlowState state, bool isOfRent, bool isVisible)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            ResourceState resource = state.GetResource(i);
            if (resource.IsReturned && context.Origins.IsRestart(resource.Origin))
            {
                context.Origins.EndClean(resource.Origin);
            }
        }

        if (isVisible)
        {
            // Whether a builder rented is unknown, and one that did not is no reason to write a try block.
            Depart(state, static resource => resource.Rent is not { IsBuilder: true });
        }

        CheckCallersVariables(state, isOfRent);
    }

    /// <summary>Records what becomes of the buffers that a path has at an exit of the method.</summary>
    private void Depart(FlowState state, Func<ResourceInfo, bool> counts)
    {
        List<Departure> departures = [];
        for (int i = 0; i < state.ResourceCount; i++)
        {
            if (counts(context.Resources[i]) && Depart(i, state) is { } departure)
            {
                departures.Add(departure);
            }
        }

        context.Exits.Leave(state.Exit, departures);
    }

    /// <summary>Returns the fate of a resource at the end of a path; null if nothing is known.</summary>
    private Departure? Depart(int index, FlowState state)
    {
        ResourceState resource = state.GetResource(index);
        ResourceInfo info = context.Resources[index];
        if (resource.IsOrphaned)
        {
            ResourceInfo replaced = info with { Site = stores.ReplacementOf(index) };
            return new Departure(replaced, info, !resource.IsReturned, resource.IsReturned, resource.Borrowers);
        }

        return resource.Status == ResourceStatus.Untracked || info.Rent is null
            ? null
            : new Departure(info, info, state.IsLost(index), resource.IsReturned, resource.Borrowers) { IsCertain = resource.IsNonNull };
    }

    /// <summary>Checks the caller's variables for returned buffers, which code that uses them would return again.</summary>
    private void CheckCallersVariables(FlowState state, bool isOfRent)
    {
        foreach (int variable in context.Variables.References)
        {
            if (state.GetVariable(variable) is { Kind: ValueKind.Whole } value
                && state.GetResource(value.Resource) is { IsReturned: true } resource
                && context.Resources[value.Resource].Kind is BufferKind.Array or BufferKind.Block
                && !stores.Contains(variable, value.Resource))
            {
                SyntaxNode site = context.Origins.SiteOf(resource.Origin);
                FindingKind kind = isOfRent || context.Origins.IsOfRent(resource.Origin)
                    ? FindingKind.LeftInCallersVariableIfRentThrows
                    : FindingKind.LeftInCallersVariable;
                if (kind == FindingKind.LeftInCallersVariable || !isOfRent || MayCallersReturn())
                {
                    context.Evidence.Report(new Finding(kind, site, null, context.Resources[value.Resource].Name));
                }
            }
        }
    }

    /// <summary>
    /// Returns whether a caller may return a buffer in a handler or a finally block. The callers of a private method are in its type.
    /// </summary>
    private bool MayCallersReturn() =>
        context.Syntax is not MethodDeclarationSyntax { Modifiers: var modifiers, Parent: TypeDeclarationSyntax type }
        || type.Modifiers.Any(SyntaxKind.PartialKeyword)
        || modifiers.Any(static one => one.IsKind(SyntaxKind.PublicKeyword) || one.IsKind(SyntaxKind.InternalKeyword)
            || one.IsKind(SyntaxKind.ProtectedKeyword))
        || type.DescendantNodes().Any(static clause =>
            clause is CatchClauseSyntax or FinallyClauseSyntax
            && clause.DescendantNodes().OfType<SimpleNameSyntax>().Any(static name => name.Identifier.ValueText == "Return"));

    /// <summary>Checks the result of the method for memory that was returned to its pool, and for work on it.</summary>
    private void CheckResult(FlowState state)
    {
        Value result = state.Result;
        oversized.CheckResult(result, context.Evidence.ResultOf(result), state);
        if (result.Kind is not (ValueKind.Whole or ValueKind.Part or ValueKind.Holder or ValueKind.Wrapper or ValueKind.Work))
        {
            return;
        }

        for (int i = 0; i < state.ResourceCount; i++)
        {
            if (!result.Has(i))
            {
                continue;
            }

            ResourceInfo resource = context.Resources[i];
            if (resource.Kind == BufferKind.Pooled && result.Kind == ValueKind.Whole)
            {
                continue;
            }

            FindingKind kind = result.Kind == ValueKind.Work ? FindingKind.ReturnedWhileInUse
                : resource.Kind is BufferKind.Owner or BufferKind.Pooled or BufferKind.Message ? FindingKind.PartOutlivesOwner
                : FindingKind.Escape;
            bool isBad = state.GetResource(i).IsReturned && (result.Kind != ValueKind.Work || state.IsPending(i));
            SyntaxNode site = context.Evidence.ResultOf(result) ?? resource.Site;
            context.Evidence.Observe(new Finding(kind, site, resource.Site, resource.Name), isBad);
        }
    }
}
