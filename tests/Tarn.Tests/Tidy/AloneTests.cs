using System.Reflection;
using Tarn.Tests.Support;

namespace Tarn.Tests.Tidy;

/// <summary>The trait and the collection of the tests that run alone belong together.</summary>
public class AloneTests
{
    private static readonly Type[] s_classes = typeof(AloneTests).Assembly.GetTypes();

    [Fact]
    public void Every_class_of_the_collection_has_the_trait_and_no_other_has()
    {
        Type[] inCollection = [.. s_classes.Where(static type => Has(type, typeof(CollectionAttribute), Alone.Name))];
        Assert.NotEmpty(inCollection);
        Assert.Equal(inCollection, s_classes.Where(static type => Has(type, typeof(TraitAttribute), Alone.Trait, Alone.Yes)));
    }

    [Fact]
    public void The_solution_runs_them_and_the_others_in_two_processes()
    {
        string targets = File.ReadAllText(Repository.At("Directory.Solution.targets"));
        Assert.Contains($"{Alone.Trait}={Alone.Yes}<", targets, StringComparison.Ordinal);
        Assert.Contains($"{Alone.Trait}!={Alone.Yes}<", targets, StringComparison.Ordinal);
    }

    private static bool Has(Type type, Type attribute, params string[] arguments) =>
        type.GetCustomAttributesData().Any(
            data => data.AttributeType == attribute
                && data.ConstructorArguments.Select(static argument => argument.Value as string).SequenceEqual(arguments));
}
