using System.Reflection;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

public class TestMethodsTests
{
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;
    private static readonly string s_module = typeof(TestMethodsTests).Assembly.Location;
    private static readonly string s_name = typeof(TestMethodsTests).FullName!;

    [Fact]
    public void A_test_and_what_the_compiler_made_of_it_are_of_the_test()
    {
        using var modules = new ModuleFiles();
        var tests = new TestMethods(modules);
        MethodInfo[] made =
        [
            .. typeof(TestMethodsTests).GetNestedTypes(All).SelectMany(type => type.GetMethods(All))
                .Where(method => method.DeclaringType != typeof(object)),
        ];
        MethodInfo[] of = [.. made.Where(method => tests.Find(s_module, method.MetadataToken) == $"{s_name}.{nameof(Is_asynchronous)}")];

        Assert.Equal(
            $"{s_name}.{nameof(A_test_and_what_the_compiler_made_of_it_are_of_the_test)}",
            tests.Find(s_module, MethodBase.GetCurrentMethod()!.MetadataToken));
        Assert.Contains(of, method => method.Name == "MoveNext");
        Assert.Contains(of, method => method.Name.Contains("b__", StringComparison.Ordinal));
        Assert.DoesNotContain(of, method => method.DeclaringType!.Name.Contains(nameof(NoTestAsync), StringComparison.Ordinal));
    }

    [SkippableTheory]
    [InlineData(1)]
    public async Task Is_asynchronous(int number)
    {
        int sum = 0;
        Func<int, Task> add = async more => sum += await Task.FromResult(more);
        await add(number);
        Assert.Equal(number, sum);
    }

    [Fact]
    public void Other_methods_and_files_are_of_none()
    {
        using var modules = new ModuleFiles();
        var tests = new TestMethods(modules);

        Assert.Equal("", tests.Find(s_module, ((Func<Task>)NoTestAsync).Method.MetadataToken));
        Assert.Equal("", tests.Find(s_module, 0x0600_0000));
        Assert.Equal("", tests.Find(s_module, 0x06FF_FFFF));
        Assert.Equal("", tests.Find("/nowhere/nothing.dll", 0x0600_0001));
        Assert.Equal("", tests.Find(Path.ChangeExtension(s_module, ".pdb"), 0x0600_0001));
        Assert.Equal("", tests.Find("", 0x0600_0001));
    }

    private static async Task NoTestAsync() => await Task.Yield();
}
