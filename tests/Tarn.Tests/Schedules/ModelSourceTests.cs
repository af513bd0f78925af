using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.Tests.Schedules.Checking;
using Tarn.Tests.Tidy;

namespace Tarn.Tests.Schedules;

/// <summary>The models are of the source as it is: each step's text stands in the method it names, in the model's order.</summary>
public class ModelSourceTests
{
    public static TheoryData<string> Models => [.. Protocols.All.Keys];

    [Theory]
    [MemberData(nameof(Models))]
    public void Every_step_stands_in_the_source_in_the_same_order(string name)
    {
        int stated = 0;
        foreach (ThreadProgram thread in Protocols.All[name](PlantedFault.None).Threads)
        {
            stated += thread.Steps.Count(static step => step.Place is not null);
            Assert.Empty(FindStrangers(thread.Steps));
        }

        Assert.True(stated > 4, $"the model of the {name} names {stated} steps of the source");
    }

    [Fact]
    public void A_step_that_is_not_in_the_source_or_out_of_turn_is_found()
    {
        ThreadProgram thread = new("owner", index: 0);
        thread.From("src/Tarn/ArrayPool/BufferPool.cs", "ReturnToTop");
        thread.Store(0, 1, "entry.IsTopFree = 1;");
        thread.Store(0, 1, "entry.Top = array;");
        thread.From("src/Tarn/ArrayPool/BufferPool.cs", "ReturnToTop");
        thread.Store(0, 1, "entry.Top = list;");
        thread.From("src/Tarn/ArrayPool/BufferPool.cs", "Nowhere");
        thread.Store(0, 1, "entry.Top = array;");

        Assert.Equal(["entry.Top = array;", "entry.Top = list;", "entry.Top = array;"], FindStrangers(thread.Steps).Select(Code));
    }

    private static string Code(Step step) => step.Code;

    /// <summary>Steps whose source is not after that of the step before them, unless the model entered the method again.</summary>
    private static IEnumerable<Step> FindStrangers(IEnumerable<Step> steps)
    {
        List<Step> together = [];
        foreach (Step step in steps.Where(static step => step.Place is not null))
        {
            if (together.Count > 0 && !ReferenceEquals(together[0].Place, step.Place))
            {
                foreach (Step stranger in FindStrangersInMethod(together))
                {
                    yield return stranger;
                }

                together = [];
            }

            together.Add(step);
        }

        foreach (Step stranger in together.Count > 0 ? FindStrangersInMethod(together) : [])
        {
            yield return stranger;
        }
    }

    /// <summary>Of the methods of that name, the one that has the most of the steps is meant.</summary>
    private static List<Step> FindStrangersInMethod(List<Step> steps) =>
        TextsOf(steps[0].Place!).Select(text => FindStrangers(text, steps)).Append(steps).MinBy(static strangers => strangers.Count)!;

    private static List<Step> FindStrangers(string text, List<Step> steps)
    {
        List<Step> strangers = [];
        int at = 0;
        foreach (Step step in steps)
        {
            int found = text.IndexOf(step.Code, at, StringComparison.Ordinal);
            if (found < 0)
            {
                strangers.Add(step);
            }

            at = Math.Max(at, found);
        }

        return strangers;
    }

    private static IEnumerable<string> TextsOf(SourcePlace place) =>
        CSharpSyntaxTree.ParseText(File.ReadAllText(Repository.At(place.File))).GetRoot().DescendantNodes()
            .OfType<MethodDeclarationSyntax>()
            .Where(method => method.Identifier.Text == place.Method)
            .Select(static method => method.ToString());
}
