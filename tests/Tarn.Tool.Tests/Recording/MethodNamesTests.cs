using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

public class MethodNamesTests
{
    [Theory]
    [InlineData("App.Reader.Fill(int32,bool)", "App.Reader.Fill")]
    [InlineData("App.Reader+Inner.Fill()", "App.Reader.Inner.Fill")]
    [InlineData("Program.<Main>$(class System.String[])", "Program.Main")]
    [InlineData("Program.<Main>(class System.String[])", "Program.Main")]
    [InlineData("App.Reader+<FillAsync>d__3.MoveNext()", "App.Reader.FillAsync")]
    [InlineData("App.Reader+<FillAsync>d__3`1[System.__Canon].MoveNext()", "App.Reader.FillAsync")]
    [InlineData("App.Reader+<>c.<Fill>b__0_1(int32)", "App.Reader.Fill (lambda)")]
    [InlineData("App.Reader+<>c__DisplayClass4_0.<Fill>b__2()", "App.Reader.Fill (lambda)")]
    [InlineData("App.Reader.<Fill>g__Step|7_0(int32)", "App.Reader.Fill.Step")]
    [InlineData("Program.<<Main>$>g__Step|0_0[System.__Canon](int32)", "Program.Main.Step<class>")]
    [InlineData("Program+<>c.<<Main>$>b__0_1(int32)", "Program.Main (lambda)")]
    [InlineData("Program+<<Main>$>d__0.MoveNext()", "Program.Main")]
    [InlineData("App.Cache`2[System.__Canon,System.Int32].Find(!0)", "App.Cache<class, int>.Find")]
    [InlineData("App.List`1[App.Items`2+Item[System.__Canon,System.Byte[]]].Grow()", "App.List<Items.Item<class, byte[]>>.Grow")]
    [InlineData("Toolkit.MemoryOwner`1[System.Double]..ctor(int32)", "new Toolkit.MemoryOwner<double>")]
    [InlineData("App.Settings..cctor()", "static App.Settings")]
    [InlineData("App.Reader+<>c__DisplayClass4_0+<<Fill>b__2>d.MoveNext()", "App.Reader.Fill (lambda)")]
    [InlineData("App.Reader+<<Fill>g__Step|7_0>d.MoveNext()", "App.Reader.Fill.Step")]
    [InlineData("App.Box`1+<FillAsync>d__3[System.Collections.Generic.List`1[System.Byte[]]].MoveNext()", "App.Box.FillAsync")]
    [InlineData("Program+<<<Main>$>g__Run|0_0>d.MoveNext()", "Program.Main.Run")]
    [InlineData("App.Map`1[App.Many`2[System.String,System.Nullable`1[System.Int32]]].Find(!0)", "App.Map<Many<string, int?>>.Find")]
    [InlineData("App.Pairs`1[System.ValueTuple`2[System.Int32,System.String]].get_Count()", "App.Pairs<(int, string)>.Count.get")]
    [InlineData("App.<Program>F0A1B2C3__Hidden.Fill()", "App.Hidden.Fill")]
    [InlineData("Numbers.Big.Numbers.INumber<Numbers.Big>.TryParse(int32)", "Numbers.Big.Numbers.INumber<Big>.TryParse")]
    public void A_name_is_that_of_the_source(string runtime, string source) => Assert.Equal(source, MethodNames.Readable(runtime));

    [Theory]
    [InlineData("System.Buffers.SharedArrayPool`1[System.Char].Rent(int32)", "Rent")]
    [InlineData("App.Pool`1[App.Pair`1[System.__Canon]].Rent[System.Byte[]](!!0[],int32)", "Rent")]
    [InlineData("App.Pool.Rent[App.Pair`1[System.Byte]]()", "Rent")]
    [InlineData("Toolkit.MemoryOwner`1[System.Double]..ctor(int32)", ".ctor")]
    [InlineData("", "")]
    public void The_short_name_is_what_instructions_call(string runtime, string name) => Assert.Equal(name, MethodNames.Short(runtime));

    [Theory]
    [InlineData("System.Buffers.SharedArrayPool`1[System.Char].Rent(int32)", "System.Char")]
    [InlineData("System.Buffers.ConfigurableArrayPool`1[System.__Canon].Rent(int32)", "System.__Canon")]
    [InlineData("System.Buffers.SharedArrayPool`1[App.Pair`1[System.__Canon]].Rent(int32)", "App.Pair`1[System.__Canon]")]
    [InlineData("App.Pool`1[System.Char].Rent(int32)", null)]
    public void The_element_is_that_of_the_pool(string method, string? element) => Assert.Equal(element, MethodNames.ElementOf(method));
}
