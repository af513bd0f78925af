using System.Collections.Concurrent;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>Each method of a random graph of calls has a bit, and its result is the bits of all methods that it reaches.</summary>
public sealed class RecursiveInferenceTests
{
    private const int Methods = 30;

    private static readonly IMethodSymbol[] s_methods = Create(500);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(Methods)]
    public void Every_result_has_what_all_reached_symbols_add(int mostCalls)
    {
        for (int seed = 0; seed < 400; seed++)
        {
            Random random = new(seed);
            Graph graph = new(
                [.. Enumerable.Range(0, Methods).Select(_ => RandomCalls(random, mostCalls))]);
            foreach (int asked in Enumerable.Range(0, Methods).OrderBy(_ => random.Next()))
            {
                Assert.True(graph.Reach(asked) == graph.Infer(asked), $"method {asked} of seed {seed}");
                Assert.InRange(graph.LastInferences, 0, Methods * Methods);
            }

            Assert.All(Enumerable.Range(0, Methods), asked => Assert.Equal(graph.Reach(asked), graph.Finished[s_methods[asked]]));
        }
    }

    [Fact]
    public void A_symbol_that_many_paths_lead_to_is_inferred_once()
    {
        Graph graph = new([.. Enumerable.Range(0, Methods).Select(static i => i + 1 < Methods ? new[] { i + 1, i + 1 } : [])]);
        Assert.Equal(graph.Reach(0), graph.Infer(0));
        Assert.Equal(Methods, graph.LastInferences);
        Assert.Equal(Methods, graph.Finished.Count);
    }

    [Fact]
    public void Symbols_that_all_need_each_other_are_inferred_once_for_one_that_is_asked_for()
    {
        Graph graph = new([.. Enumerable.Range(0, Methods).Select(static _ => Enumerable.Range(0, Methods).ToArray())]);
        Assert.Equal(graph.Reach(7), graph.Infer(7));
        Assert.Equal(Methods, graph.LastInferences);
        Assert.Equal(s_methods[7], Assert.Single(graph.Finished).Key, SymbolEqualityComparer.Default);
    }

    [Fact]
    public void A_chain_that_is_too_long_ends_with_the_unseen_result_and_is_kept_only_at_its_start()
    {
        Graph graph = new([.. Enumerable.Range(0, 500).Select(static i => i + 1 < 500 ? new[] { i + 1 } : [])]);
        Assert.True((graph.Infer(0) & Graph.Unseen) != 0);
        Assert.InRange(graph.LastInferences, 10, 100);
        Assert.Equal(s_methods[0], Assert.Single(graph.Finished).Key, SymbolEqualityComparer.Default);
        Assert.True((graph.Infer(495) & Graph.Unseen) == 0);
    }

    [Fact]
    public void One_symbol_with_too_many_others_is_given_up()
    {
        Graph graph = new([Enumerable.Range(1, 499).ToArray(), .. Enumerable.Range(0, 499).Select(static _ => Array.Empty<int>())]);
        Assert.True((graph.Infer(0) & Graph.Unseen) != 0);
        Assert.InRange(graph.LastInferences, 100, 450);
        Assert.True((graph.Infer(499) & Graph.Unseen) == 0);
    }

    private static int[] RandomCalls(Random random, int most) =>
        [.. Enumerable.Range(0, random.Next(most + 1)).Select(_ => random.Next(Methods))];

    private static IMethodSymbol[] Create(int count)
    {
        string members = string.Concat(Enumerable.Range(0, count).Select(static i => $"void M{i}() {{ }} "));
        CSharpCompilation compilation =
            Analyzed.Compile([Analyzed.Parse($"class C {{ {members} }}", "Methods.cs")], OutputKind.DynamicallyLinkedLibrary);
        return [.. compilation.GetTypeByMetadataName("C")!.GetMembers().OfType<IMethodSymbol>().Take(count)];
    }

    private sealed class Graph
    {
        internal const ulong Unseen = 1UL << 63;

        private readonly int[][] _calls;
        private readonly RecursiveInference<IMethodSymbol, ulong> _inference;

        internal Graph(int[][] calls)
        {
            _calls = calls;
            _inference = new(Finished, recursive: 0, Unseen);
        }

        internal ConcurrentDictionary<IMethodSymbol, ulong> Finished { get; } = new(SymbolEqualityComparer.Default);

        internal int LastInferences { get; private set; }

        internal ulong Infer(int asked)
        {
            LastInferences = 0;
            return _inference.Infer(s_methods[asked], InferNew);
        }

        internal ulong Reach(int asked)
        {
            HashSet<int> reached = [asked];
            Queue<int> open = new(reached);
            while (open.TryDequeue(out int method))
            {
                foreach (int called in _calls[method].Where(reached.Add))
                {
                    open.Enqueue(called);
                }
            }

            return reached.Aggregate(0UL, static (bits, method) => bits | BitOf(method));
        }

        private static ulong BitOf(int method) => method < Methods ? 1UL << method : 0;

        private ulong InferNew(IMethodSymbol method)
        {
            LastInferences++;
            int number = int.Parse(method.Name.AsSpan(1), CultureInfo.InvariantCulture);
            return _calls[number].Aggregate(BitOf(number), (bits, called) => bits | _inference.Infer(s_methods[called], InferNew));
        }
    }
}
