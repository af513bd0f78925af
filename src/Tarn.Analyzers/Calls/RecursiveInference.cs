using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what holds for a symbol when that may depend on other symbols, and these on the first one again.</summary>
/// <remarks>
/// <para>A symbol that is needed while it is being inferred adds nothing. What rests on such an answer holds within that inference: it is
/// used again until the outer symbol is finished, and not kept. Without that, methods that call each other are read once for every path
/// through them, of which twelve methods already have millions.</para>
/// <para>The depth and the number of symbols that one inference reads are bounded. What rests on a symbol beyond a bound is not kept
/// either, except for the symbol that was asked for, as it would be asked for again.</para>
/// <para>Not safe for concurrent use. Instances on several threads may share the table of finished symbols.</para>
/// </remarks>
/// <param name="finished">The results that are kept for the compilation.</param>
/// <param name="recursive">The result of a symbol that is being inferred.</param>
/// <param name="unseen">The result of a symbol that is too far away.</param>
internal sealed class RecursiveInference<TSymbol, TResult>(
    ConcurrentDictionary<TSymbol, TResult> finished, TResult recursive, TResult unseen)
    where TSymbol : class, ISymbol
{
    /// <summary>The most symbols that depend on each other in a chain. Each takes kilobytes of the stack.</summary>
    private const int Deepest = 40;

    /// <summary>The most symbols that are inferred for one that is asked for.</summary>
    private const int MostSymbols = 400;

    /// <summary>The depth of a symbol beyond a bound: outside of every symbol that is being inferred.</summary>
    private const int Beyond = -1;

    private const int OnNone = int.MaxValue;

    private readonly Dictionary<TSymbol, int> _open = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<TSymbol, (TResult Result, int Outermost)> _within =
        new(SymbolEqualityComparer.Default);

    private int _outermost = OnNone;
    private int _count;

    /// <summary>Returns the result for a symbol.</summary>
    /// <param name="symbol">The symbol.</param>
    /// <param name="infer">Infers it. It calls this method for what it needs of other symbols.</param>
    internal TResult Infer(TSymbol symbol, Func<TSymbol, TResult> infer)
    {
        if (finished.TryGetValue(symbol, out TResult? result))
        {
            return result;
        }

        if (_open.TryGetValue(symbol, out int outer))
        {
            return RestOn(outer, recursive);
        }

        if (_within.TryGetValue(symbol, out (TResult Result, int Outermost) earlier))
        {
            return RestOn(earlier.Outermost, earlier.Result);
        }

        if (_open.Count == Deepest || _count == MostSymbols || !StackRoom.IsLeft())
        {
            return RestOn(Beyond, unseen);
        }

        return InferNew(symbol, infer);
    }

    private TResult InferNew(TSymbol symbol, Func<TSymbol, TResult> infer)
    {
        int depth = _open.Count;
        int before = _outermost;
        _outermost = OnNone;
        _count++;
        _open.Add(symbol, depth);
        TResult result = infer(symbol);
        _open.Remove(symbol);
        int own = _outermost;
        _outermost = Math.Min(before, own < depth ? own : OnNone);
        if (depth == 0)
        {
            _outermost = OnNone;
            _count = 0;
            _within.Clear();
            return finished.GetOrAdd(symbol, result);
        }

        Settle(depth, own);
        if (own >= depth)
        {
            return finished.GetOrAdd(symbol, result);
        }

        _within.Add(symbol, (result, own));
        return result;
    }

    /// <summary>Forgets what rests on a symbol that is finished now; or lets it rest on what that symbol itself rests on.</summary>
    private void Settle(int depth, int own)
    {
        foreach (TSymbol symbol in _within.Where(one => one.Value.Outermost >= depth).Select(static one => one.Key).ToArray())
        {
            if (own < depth)
            {
                _within[symbol] = (_within[symbol].Result, own);
            }
            else
            {
                _within.Remove(symbol);
            }
        }
    }

    private TResult RestOn(int outermost, TResult result)
    {
        _outermost = Math.Min(_outermost, outermost);
        return result;
    }
}
